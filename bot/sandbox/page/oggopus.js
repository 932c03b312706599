// Sound as Ogg with Opus, the form of Telegram's voice messages. The browser encodes; this file only wraps (RFC 3533, RFC 7845).

const RATE = 48_000;
const PACKETS_PER_PAGE = 50;
const PRE_SKIP = 312;
// One 20 ms frame of silence, for browsers that cannot encode.
const SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe);
const FRAME = RATE / 50;

/** Encode the first channel of an AudioBuffer. */
export async function toOggOpus(sound, name) {
  const samples = await atRate(sound);
  const packets = globalThis.AudioEncoder ? await encode(samples) : Array.from({ length: Math.ceil(samples.length / FRAME) }, () => SILENCE);
  return new File([...wrap(packets)], name, { type: "audio/ogg" });
}

async function atRate(sound) {
  const context = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * RATE)), RATE);
  const source = new AudioBufferSourceNode(context, { buffer: sound });
  source.connect(context.destination);
  source.start();
  return (await context.startRendering()).getChannelData(0);
}

async function encode(samples) {
  const packets = [];
  let failure = null;
  const encoder = new AudioEncoder({
    output: (chunk) => {
      const packet = new Uint8Array(chunk.byteLength);
      chunk.copyTo(packet);
      packets.push(packet);
    },
    error: (error) => (failure = error),
  });
  encoder.configure({ codec: "opus", sampleRate: RATE, numberOfChannels: 1, bitrate: 24_000 });
  for (let at = 0; at < samples.length; at += RATE) {
    const data = samples.slice(at, at + RATE);
    encoder.encode(
      new AudioData({ format: "f32-planar", sampleRate: RATE, numberOfFrames: data.length, numberOfChannels: 1, timestamp: Math.round((at / RATE) * 1e6), data }),
    );
  }
  await encoder.flush();
  encoder.close();
  if (failure) throw failure;
  return packets;
}

function* wrap(packets) {
  const serial = 0x42616c63;
  yield page([head()], { serial, sequence: 0, granule: 0, flags: 2 });
  yield page([tags()], { serial, sequence: 1, granule: 0, flags: 0 });
  let sequence = 2;
  for (let at = 0; at < packets.length; at += PACKETS_PER_PAGE) {
    const here = packets.slice(at, at + PACKETS_PER_PAGE);
    const isLast = at + PACKETS_PER_PAGE >= packets.length;
    yield page(here, { serial, sequence, granule: (at + here.length) * FRAME + PRE_SKIP, flags: isLast ? 4 : 0 });
    sequence += 1;
  }
}

const ascii = (text) => [...text].map((character) => character.charCodeAt(0));
const little = (value, bytes) => Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);

function head() {
  return Uint8Array.from([...ascii("OpusHead"), 1, 1, ...little(PRE_SKIP, 2), ...little(RATE, 4), 0, 0, 0]);
}

function tags() {
  return Uint8Array.from([...ascii("OpusTags"), ...little(6, 4), ...ascii("balcao"), ...little(0, 4)]);
}

function page(packets, { serial, sequence, granule, flags }) {
  const lacing = packets.flatMap((packet) => [...Array(Math.floor(packet.length / 255)).fill(255), packet.length % 255]);
  const header = [...ascii("OggS"), 0, flags, ...little(granule, 8), ...little(serial, 4), ...little(sequence, 4), 0, 0, 0, 0, lacing.length, ...lacing];
  const bytes = new Uint8Array(header.length + packets.reduce((sum, packet) => sum + packet.length, 0));
  bytes.set(header);
  let at = header.length;
  for (const packet of packets) {
    bytes.set(packet, at);
    at += packet.length;
  }
  bytes.set(little(checksum(bytes), 4), 22);
  return bytes;
}

const CRC = Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

function checksum(bytes) {
  let value = 0;
  for (const byte of bytes) value = ((value << 8) ^ CRC[((value >>> 24) ^ byte) & 0xff]) >>> 0;
  return value;
}
