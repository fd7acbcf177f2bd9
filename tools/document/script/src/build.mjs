// Bundles each library into one file that goja can run, and notes what it was made of: versions, licences, hashes.
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {build} from 'esbuild';

const made = {};
const licences = new Map();
for (const name of ['pptx', 'docx', 'chart']) {
  const result = await build({
    entryPoints: [`${name}.js`], outfile: `../bundles/${name}.js`, bundle: true, minify: true, metafile: true,
    // goja knows ES2017 and some of what is newer; import() is what it cannot even parse.
    format: 'iife', platform: 'browser', target: 'es2017', supported: {'dynamic-import': false}, external: ['node:*'], legalComments: 'none',
  });
  const packages = new Set(Object.keys(result.metafile.inputs).map(path => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
  made[name] = {
    sha256: createHash('sha256').update(readFileSync(`../bundles/${name}.js`)).digest('hex'),
    source: createHash('sha256').update(readFileSync(`${name}.js`)).digest('hex'),
    packages: [...packages].sort().map(p => {
      const {version, license} = JSON.parse(readFileSync(`node_modules/${p}/package.json`));
      const file = ['LICENSE', 'LICENSE.md', 'LICENSE.markdown', 'LICENSE.txt'].map(f => `node_modules/${p}/${f}`).find(existsSync);
      licences.set(`${p} ${version} (${license})`, file ? readFileSync(file, 'utf8').trim() : '');
      return {name: p, version, license};
    }),
  };
}
writeFileSync('../bundles/LICENSES.txt', [...licences].map(([name, text]) => `=== ${name}\n\n${text}\n`).join('\n'));
writeFileSync('../bundles/made.json', JSON.stringify(made, null, 2) + '\n');
