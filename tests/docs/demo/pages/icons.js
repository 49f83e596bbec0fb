// Line icons on a 20 x 20 grid, drawn for Harbor: each is the inside of an <svg>.
const ICONS = {
  anchor: '<circle cx="10" cy="4" r="2"/><path d="M10 6v11M6.5 9h7M3 11c0 4 3 6 7 6s7-2 7-6"/>',
  home: '<path d="M3 9.5 10 3l7 6.5V17h-5v-5H8v5H3z"/>',
  invoice: '<path d="M5 2.5h10v15l-2.5-1.6L10 17.5l-2.5-1.6L5 17.5zM7.5 7h5M7.5 10.500h5"/>',
  people: '<circle cx="7.500" cy="7" r="3"/><path d="M2 17c0-3.500 2.500-5 5.500-5s5.500 1.500 5.500 5M13 4.200a3 3 0 0 1 0 5.600M14.500 12.300c2 .6 3.500 2 3.500 4.700"/>',
  chart: '<path d="M3 3v14h14M7 14v-4M11 14V6M15 14V9"/>',
  box: '<path d="M3 6h14v11H3zM3 6l2-3h10l2 3M8 10h4"/>',
  gear: '<circle cx="10" cy="10" r="2.600"/><path d="M10 2.500v2.400M10 15.100v2.400M2.500 10h2.400M15.100 10h2.400M4.700 4.700l1.700 1.700M13.600 13.600l1.700 1.700M4.700 15.300l1.700-1.700M13.600 6.400l1.700-1.700"/>',
  search: '<circle cx="8.500" cy="8.500" r="5"/><path d="m12.500 12.500 4.500 4.500"/>',
  bell: '<path d="M5 14V9a5 5 0 0 1 10 0v5l1.500 1h-13zM8.500 17.500h3"/>',
  help: '<circle cx="10" cy="10" r="7.500"/><path d="M7.800 8a2.200 2.200 0 1 1 3.200 2c-.7.400-1 .8-1 1.600M10 14v.300"/>',
  plus: '<path d="M10 4v12M4 10h12"/>',
  download: '<path d="M10 3v10M6 9.500l4 4 4-4M3 17h14"/>',
  upload: '<path d="M10 14V4M6 7.500l4-4 4 4M3 17h14"/>',
  trash: '<path d="M3.500 5.500h13M8 5V3h4v2M5 5.500l1 12h8l1-12M8.500 9v5M11.500 9v5"/>',
  pencil: '<path d="M3 17l1-4 9-9 3 3-9 9zM11.500 5.500l3 3"/>',
  send: '<path d="M3 9.500 17 3l-4.500 14-3-6zM9.500 11 17 3"/>',
  check: '<path d="m4 10.500 4 4 8-9"/>',
  copy: '<path d="M7 7h10v10H7zM4 13H3V3h10v1"/>',
  filter: '<path d="M3 5h14M6 10h8M8.500 15h3"/>',
  left: '<path d="m12.500 4-6 6 6 6"/>',
  right: '<path d="m7.500 4 6 6-6 6"/>',
  down: '<path d="m4 7.500 6 6 6-6"/>',
  more: '<path d="M4.500 10h.1M10 10h.1M15.500 10h.1" stroke-width="3"/>',
  clock: '<circle cx="10" cy="10" r="7.500"/><path d="M10 5.500V10l3 2"/>',
  warn: '<path d="M10 3 18 17H2zM10 8v4M10 14.300v.200"/>',
  mail: '<path d="M2.500 4.500h15v11h-15zM2.500 5l7.500 6 7.500-6"/>',
  lock: '<path d="M4.500 9h11v8.500h-11zM7 9V6a3 3 0 0 1 6 0v3"/>',
  moon: '<path d="M16.500 12A7 7 0 0 1 8 3.500 7 7 0 1 0 16.500 12z"/>',
  leave: '<path d="M8 3H3v14h5M8 10h9M13.500 6.500 17 10l-3.500 3.500"/>',
  user: '<circle cx="10" cy="6.500" r="3.500"/><path d="M3.500 17.500c0-4 3-5.500 6.500-5.500s6.500 1.500 6.500 5.500"/>',
  euro: '<path d="M15.500 5A6 6 0 1 0 15.500 15M3 8.500h8M3 11.500h7"/>',
  pin: '<path d="M10 18c-4-5-6-7.500-6-10a6 6 0 0 1 12 0c0 2.500-2 5-6 10z"/><circle cx="10" cy="8" r="2"/>',
};

function icon(name, size) {
  if (!(name in ICONS)) throw new Error(`no icon "${name}"`);
  return `<svg width="${size}" height="${size}" viewBox="0 0 20 20" fill="none" stroke="currentColor" `
    + `stroke-width="1.700" stroke-linecap="round" stroke-linejoin="round">${ICONS[name]}</svg>`;
}
