// Things to send for a person without files at hand, all made here and all marked as having no value.
import { fullName } from "./dom.js";
import { toOggOpus } from "./oggopus.js";
import { clock } from "./time.js";

const WIDTH = 1280;
const HEIGHT = 860;
const FONT = '"Liberation Sans", Arial, sans-serif';

const today = () => clock.format(clock.now(), { dateStyle: "short" });

/** A photograph of an imagined licence lying on a table. */
export function sampleDocument(person) {
  return draw("documento-de-exemplo.jpg", (pen) => {
    table(pen, "#6d5a47", "#4b3d30");
    pen.translate(WIDTH / 2, HEIGHT / 2);
    pen.rotate(-0.035);
    pen.shadowColor = "rgba(0,0,0,.5)";
    pen.shadowBlur = 50;
    pen.shadowOffsetY = 18;
    card(pen, -480, -310, 960, 620, "#eaf3e6");
    pen.shadowColor = "transparent";
    pen.save();
    pen.clip();
    const band = pen.createLinearGradient(-480, 0, 480, 0);
    band.addColorStop(0, "#1f7a52");
    band.addColorStop(1, "#2a9d8f");
    pen.fillStyle = band;
    pen.fillRect(-480, -310, 960, 96);
    words(pen, "DOCUMENTO DE EXEMPLO", -440, -248, 42, "#fff", "bold");
    words(pen, "sem valor", 270, -248, 34, "#d8f5e8");
    guilloche(pen);
    portrait(pen, -440, -180);
    pen.restore();
    const lines = [
      ["NOME", fullName(person)],
      ["CATEGORIA", "B   ·   EXERCE ATIVIDADE REMUNERADA (EAR)"],
      ["REGISTRO", "00000000000"],
      ["FOTOGRAFADO EM", today()],
    ];
    lines.forEach(([name, value], index) => {
      words(pen, name, -150, -150 + index * 100, 20, "#47685a", "bold");
      words(pen, value, -150, -112 + index * 100, 32, "#10231b");
    });
    words(pen, "Feito pela simulação do Balcão. Não é um documento.", -440, 284, 22, "#47685a");
  });
}

/** Three scenes for an album of evidence. */
export function samplePhotos() {
  const scenes = [
    ["#86b6d9", "#d9c7a3", "#d1495b", "Lateral do veículo"],
    ["#f1b878", "#8d99ae", "#2a9d8f", "Ponto de embarque"],
    ["#51668a", "#3d405b", "#e9c46a", "Rua à noite"],
  ];
  return Promise.all(
    scenes.map(([sky, ground, body, title], index) =>
      draw(`exemplo-${index + 1}.jpg`, (pen) => {
        const air = pen.createLinearGradient(0, 0, 0, 560);
        air.addColorStop(0, sky);
        air.addColorStop(1, "#fff6e6");
        pen.fillStyle = air;
        pen.fillRect(0, 0, WIDTH, HEIGHT);
        houses(pen, index);
        pen.fillStyle = ground;
        pen.fillRect(0, 560, WIDTH, 300);
        pen.fillStyle = "rgba(255,255,255,.65)";
        for (let x = -40 * index; x < WIDTH; x += 220) pen.fillRect(x, 735, 120, 12);
        car(pen, 290 + index * 70, 430, body);
        words(pen, `${title} · imagem de exemplo`, 110, HEIGHT - 36, 30, "rgba(255,255,255,.92)", "bold");
      }),
    ),
  );
}

/** A one-page PDF, written out by hand. */
export function samplePdf(person) {
  const lines = [
    ["/F2 22", 760, "CERTIDÃO DE EXEMPLO"],
    ["/F1 12", 726, "Feita pela simulação do Balcão. Não tem valor."],
    ["/F1 12", 690, `Em nome de ${fullName(person)}, ${today()}.`],
    ["/F1 12", 664, "Nada consta: esta folha só existe para experimentar o envio de um PDF."],
  ];
  const escape = (text) => text.replace(/[\\()]/g, "\\$&");
  const content = lines.map(([font, y, text]) => `BT ${font} Tf 72 ${y} Td (${escape(text)}) Tj ET`).join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  // One byte per character, as the offsets count them; what Latin-1 lacks becomes "?".
  const bytes = Uint8Array.from(file, (character) => (character.charCodeAt(0) < 256 ? character.charCodeAt(0) : 63));
  return new File([bytes], "certidao-de-exemplo.pdf", { type: "application/pdf" });
}

/** Four seconds that rise and fall like a sentence. */
export async function sampleVoice() {
  const context = new OfflineAudioContext(1, 48_000 * 4, 48_000);
  const voice = new OscillatorNode(context, { type: "triangle" });
  const loudness = new GainNode(context, { gain: 0 });
  voice.connect(loudness).connect(context.destination);
  [220, 247, 262, 233, 208, 247, 196, 175].forEach((pitch, index) => {
    const at = index * 0.45 + 0.1;
    voice.frequency.setValueAtTime(pitch, at);
    voice.frequency.linearRampToValueAtTime(pitch * 1.06, at + 0.2);
    loudness.gain.setTargetAtTime(0.28, at, 0.03);
    loudness.gain.setTargetAtTime(0.02, at + 0.26, 0.06);
  });
  loudness.gain.setTargetAtTime(0, 3.7, 0.05);
  voice.start();
  return toOggOpus(await context.startRendering(), "audio-de-exemplo.ogg");
}

function draw(name, paint) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  paint(canvas.getContext("2d"));
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(new File([blob], name, { type: "image/jpeg" })), "image/jpeg", 0.86);
  });
}

function words(pen, text, x, y, size, colour, weight = "normal") {
  pen.font = `${weight} ${size}px ${FONT}`;
  pen.fillStyle = colour;
  pen.fillText(text, x, y, 590);
}

function table(pen, light, dark) {
  const wood = pen.createLinearGradient(0, 0, WIDTH, HEIGHT);
  wood.addColorStop(0, light);
  wood.addColorStop(1, dark);
  pen.fillStyle = wood;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.strokeStyle = "rgba(0,0,0,.12)";
  for (let y = 20; y < HEIGHT; y += 34) {
    pen.beginPath();
    pen.moveTo(0, y);
    pen.bezierCurveTo(400, y + 14, 800, y - 16, WIDTH, y + 8);
    pen.stroke();
  }
}

function card(pen, x, y, width, height, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(x, y, width, height, 28);
  pen.fill();
}

function guilloche(pen) {
  pen.strokeStyle = "rgba(31,122,82,.13)";
  for (let ring = 0; ring < 26; ring += 1) {
    pen.beginPath();
    pen.ellipse(250, 60, 60 + ring * 15, 30 + ring * 11, ring * 0.22, 0, Math.PI * 2);
    pen.stroke();
  }
}

function portrait(pen, x, y) {
  pen.fillStyle = "#cfdfd2";
  pen.fillRect(x, y, 240, 320);
  pen.fillStyle = "#7d9a8a";
  pen.beginPath();
  pen.arc(x + 120, y + 120, 62, 0, Math.PI * 2);
  pen.fill();
  pen.beginPath();
  pen.ellipse(x + 120, y + 320, 104, 118, 0, Math.PI, 0);
  pen.fill();
}

function houses(pen, seed) {
  for (let i = 0; i < 7; i += 1) {
    const height = 120 + ((i * 83 + seed * 57) % 150);
    pen.fillStyle = ["#b56576", "#6d597a", "#e5a67a", "#577590", "#8ab17d"][(i + seed) % 5];
    pen.fillRect(i * 190 - 30, 560 - height, 170, height);
    pen.fillStyle = "rgba(255,255,255,.45)";
    for (let w = 0; w < 3; w += 1) pen.fillRect(i * 190 - 8 + w * 48, 590 - height, 28, 34);
  }
}

function car(pen, x, y, colour) {
  pen.fillStyle = "rgba(0,0,0,.25)";
  pen.beginPath();
  pen.ellipse(x + 260, y + 235, 300, 26, 0, 0, Math.PI * 2);
  pen.fill();
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(x, y + 90, 520, 110, 36);
  pen.roundRect(x + 100, y, 300, 130, [90, 70, 0, 0]);
  pen.fill();
  pen.fillStyle = "#dcecf5";
  pen.beginPath();
  pen.roundRect(x + 130, y + 24, 112, 70, [50, 8, 8, 8]);
  pen.roundRect(x + 262, y + 24, 112, 70, [8, 46, 8, 8]);
  pen.fill();
  for (const wheel of [x + 110, x + 405]) {
    pen.fillStyle = "#20242b";
    pen.beginPath();
    pen.arc(wheel, y + 200, 50, 0, Math.PI * 2);
    pen.fill();
    pen.fillStyle = "#aeb6bf";
    pen.beginPath();
    pen.arc(wheel, y + 200, 22, 0, Math.PI * 2);
    pen.fill();
  }
}
