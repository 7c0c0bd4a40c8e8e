/** Second words of process names: things one can picture. */
export const NOUNS: readonly string[] = [
  'acorn', 'anchor', 'aspen', 'badger', 'bay', 'beacon', 'birch', 'brook', 'canyon', 'cedar', 'cliff', 'cloud', 'clover', 'comet', 'coral', 'cove',
  'crane', 'creek', 'delta', 'dune', 'falcon', 'fern', 'field', 'fjord', 'forest', 'garden', 'glade', 'grove', 'harbor', 'haven', 'heron', 'hill',
  'island', 'ivy', 'lagoon', 'lake', 'lantern', 'maple', 'marsh', 'meadow', 'moon', 'oak', 'ocean', 'orchard', 'otter', 'pebble', 'pine', 'pond',
  'prairie', 'rapids', 'reef', 'ridge', 'river', 'robin', 'sail', 'shore', 'sparrow', 'spring', 'stone', 'summit', 'tide', 'valley', 'willow', 'wren',
];
