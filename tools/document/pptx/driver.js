// Carries out a deck: what stands where is decided in Go, and comes as the arguments of pptxgenjs' own methods.
async function run(deck) {
  const p = new PptxGenJS();
  p.defineLayout({name: 'wide', width: deck.width, height: deck.height});
  p.layout = 'wide';
  p.title = deck.title;
  p.author = deck.author;
  p.company = '';
  p.theme = deck.fonts;
  for (const master of deck.masters) p.defineSlideMaster(master);
  for (const s of deck.slides) {
    const slide = p.addSlide({masterName: s.master});
    for (const {add, args} of s.items) slide['add' + add](...args);
    if (s.notes) slide.addNotes(s.notes);
  }
  return p.write({outputType: 'uint8array', compression: false});
}
