import * as docx from 'docx';
globalThis.docx = docx;
