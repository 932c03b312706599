// Where a phone of the simulation is when it shares its location: the centre of a town, to be changed at will.

export const PLACES = [
  { name: "Cáceres, MT", latitude: -16.0764, longitude: -57.6818, zone: "America/Cuiaba" },
  { name: "Chapada dos Guimarães, MT", latitude: -15.4606, longitude: -55.7497, zone: "America/Cuiaba" },
  { name: "Primavera do Leste, MT", latitude: -15.56, longitude: -54.2969, zone: "America/Cuiaba" },
  { name: "Rolim de Moura, RO", latitude: -11.7271, longitude: -61.7714, zone: "America/Porto_Velho" },
  { name: "Pelotas, RS", latitude: -31.7719, longitude: -52.3425, zone: "America/Sao_Paulo" },
];

/** The place a phone's note speaks of, else the first one in the clock's zone. */
export function placeOf(phone, zone) {
  const words = `${phone.note ?? ""} ${phone.label ?? ""}`;
  return (
    PLACES.find((place) => words.includes(place.name.split(",")[0])) ??
    PLACES.find((place) => place.zone === zone) ??
    PLACES[0]
  );
}
