// Builds a text document of blocks: what is said, and how it looks, was decided in Go.
function run(d) {
  const {Document, Packer, Paragraph, TextRun, ExternalHyperlink, ImageRun, Table, TableRow, TableCell, Footer, PageNumber, LevelFormat,
    AlignmentType, BorderStyle, LineRuleType, WidthType, ShadingType, HeadingLevel, TableLayoutType} = docx;
  const c = d.look;
  const heads = [HeadingLevel.TITLE, HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3];
  const runs = list => (list || []).map(r => {
    // undefined leaves to the style what false would switch off
    const o = {bold: r.bold || undefined, italics: r.italic || undefined, strike: r.strike || undefined, superScript: r.cite || undefined, color: r.color};
    if (r.code) Object.assign(o, {font: d.mono, size: 19, shading: {type: ShadingType.CLEAR, fill: c.panel}});
    const lines = r.text.split('\n');
    const made = lines.map((text, i) => new TextRun({...o, text, break: i ? 1 : undefined, color: r.link ? c.accent : o.color, underline: r.link ? {} : undefined}));
    return r.link ? [new ExternalHyperlink({link: r.link, children: made})] : made;
  }).flat();
  const thin = {style: BorderStyle.SINGLE, size: 4, color: c.line};
  const none = {style: BorderStyle.NONE, size: 0, color: 'auto'};
  const table = t => new Table({
    width: {size: t.widths.reduce((a, b) => a + b, 0), type: WidthType.DXA}, columnWidths: t.widths, layout: TableLayoutType.FIXED,
    borders: {top: thin, bottom: thin, left: none, right: none, insideHorizontal: thin, insideVertical: none},
    margins: {top: 50, bottom: 50, left: 90, right: 90},
    rows: t.rows.map((row, n) => new TableRow({
      tableHeader: n === 0, cantSplit: true,
      children: row.map((text, i) => new TableCell({
        width: {size: t.widths[i], type: WidthType.DXA},
        shading: n === 0 ? {type: ShadingType.CLEAR, fill: c.accent} : n % 2 ? undefined : {type: ShadingType.CLEAR, fill: c.panel},
        children: [new Paragraph({
          alignment: t.right[i] ? AlignmentType.RIGHT : AlignmentType.LEFT, spacing: {before: 0, after: 0, line: 260, lineRule: LineRuleType.AUTO},
          children: [new TextRun({text, size: 19, bold: n === 0, color: n === 0 ? c.oncover : undefined})],
        })],
      })),
    })),
  });
  const make = b => {
    switch (b.kind) {
      case 'heading':
        return new Paragraph({heading: heads[b.level], children: runs(b.runs)});
      case 'text':
        return new Paragraph({children: runs(b.runs), style: b.style, keepNext: b.keep});
      case 'item':
        return new Paragraph({children: runs(b.runs), spacing: {after: 60}, ...(b.list === undefined ? {bullet: {level: b.depth}} : {numbering: {reference: 'ol', level: b.depth, instance: b.list}})});
      case 'table':
        return table(b);
      case 'picture':
        return new Paragraph({alignment: AlignmentType.CENTER, keepNext: true, children: [
          new ImageRun({type: b.type, data: new TextEncoder().encode(b.data), transformation: {width: b.width, height: b.height}, altText: {title: b.alt, description: b.alt, name: b.alt}})]});
    }
  };
  const font = {ascii: d.latin, hAnsi: d.latin, cs: d.latin, eastAsia: d.han};
  const heading = (size, before, after, color) => ({run: {font: {...font, ascii: d.head, hAnsi: d.head}, size, bold: true, color}, paragraph: {spacing: {before, after}, keepNext: true}});
  const level = (i, format, text) => ({level: i, format, text, alignment: AlignmentType.LEFT, style: {paragraph: {indent: {left: 420 * (i + 1), hanging: 340}}}});
  const document = new Document({
    title: d.title, creator: d.author, description: '', features: {updateFields: false},
    styles: {
      default: {
        document: {run: {font, size: 21, color: c.ink}, paragraph: {spacing: {after: 120, line: 320, lineRule: LineRuleType.AUTO}}},
        title: heading(48, 0, 120, c.cover), heading1: heading(30, 400, 140, c.accent), heading2: heading(25, 280, 100, c.ink), heading3: heading(22, 220, 80, c.ink),
      },
      paragraphStyles: [
        {id: 'Subtitle', name: 'Subtitle', basedOn: 'Normal', run: {size: 25, color: c.muted}},
        {id: 'Byline', name: 'Byline', basedOn: 'Normal', run: {size: 19, color: c.muted}, paragraph: {spacing: {after: 320}, border: {bottom: {style: BorderStyle.SINGLE, size: 12, color: c.second, space: 8}}}},
        {id: 'Caption', name: 'caption', basedOn: 'Normal', run: {size: 20, bold: true, color: c.ink}, paragraph: {spacing: {before: 200, after: 80}, keepNext: true}},
        {id: 'Below', name: 'Below', basedOn: 'Normal', run: {size: 18, color: c.muted}, paragraph: {spacing: {before: 60, after: 200}}},
        {id: 'Air', name: 'Air', basedOn: 'Normal', run: {size: 8}, paragraph: {spacing: {before: 0, after: 0, line: 120, lineRule: LineRuleType.EXACT}}},
        {id: 'Task', name: 'Task', basedOn: 'Normal', paragraph: {indent: {left: 420, hanging: 340}, spacing: {after: 60}}},
        {id: 'Quote', name: 'Quote', basedOn: 'Normal', run: {color: c.muted}, paragraph: {indent: {left: 240}, border: {left: {style: BorderStyle.SINGLE, size: 18, color: c.second, space: 10}}}},
        {id: 'Code', name: 'Code', basedOn: 'Normal', run: {font: d.mono, size: 18}, paragraph: {spacing: {after: 0, line: 260, lineRule: LineRuleType.AUTO}, shading: {type: ShadingType.CLEAR, fill: c.panel}}},
      ],
    },
    numbering: {config: [{reference: 'ol', levels: [0, 1, 2, 3, 4, 5, 6].map(i => level(i, i % 2 ? LevelFormat.LOWER_LETTER : LevelFormat.DECIMAL, `%${i + 1}.`))}]},
    sections: [{
      properties: {page: {size: {width: 11906, height: 16838}, margin: {top: 1300, bottom: 1200, left: 1247, right: 1247}}},
      footers: {default: new Footer({children: [new Paragraph({alignment: AlignmentType.CENTER, children: [new TextRun({children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES], size: 17, color: c.muted})]})]})},
      children: d.blocks.map(make),
    }],
  });
  return Packer.toArrayBuffer(document);
}
