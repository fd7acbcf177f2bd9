import PptxGenJS from 'pptxgenjs';
globalThis.PptxGenJS = PptxGenJS;
