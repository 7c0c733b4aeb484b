// stylua.mjs [--check] FILE...: formats Lua files as .stylua.toml says.
//
// The npm package of stylua is the library alone (WebAssembly); this is the part
// of its command line that we use. Exit 1 when a file is not formatted.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const require = createRequire(join(process.env.SIDEKICK_TESTENV, 'stylua', 'x.js'));
const stylua = require('@johnnymorganz/stylua');

const enums = {
  indent_type: stylua.IndentType,
  line_endings: stylua.LineEndings,
  quote_style: stylua.QuoteStyle,
  call_parentheses: stylua.CallParenType,
  collapse_simple_statement: stylua.CollapseSimpleStatement,
  syntax: stylua.LuaVersion,
};

function readConfig(path) {
  const config = stylua.Config.new();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, key, text, number] = line.match(/^(\w+) *= *(?:"(.*)"|(\d+))/) ?? [];
    if (key === undefined) {
      if (line.trim() !== '' && !line.startsWith('#')) throw new Error(`${path}: cannot read ${line}`);
      continue;
    }
    const value = number === undefined ? enums[key]?.[text] : Number(number);
    if (value === undefined) throw new Error(`${path}: unknown setting ${line}`);
    config[key] = value;
  }
  return config;
}

const args = process.argv.slice(2);
const check = args[0] === '--check';
let unformatted = 0;
for (const path of check ? args.slice(1) : args) {
  const source = readFileSync(path, 'utf8');
  // A config is consumed by the call.
  const formatted = stylua.formatCode(source, readConfig('.stylua.toml'), undefined, stylua.OutputVerification.None);
  if (formatted === source) continue;
  unformatted++;
  if (check) console.error(`${path}: not formatted; run scripts/fmt`);
  else writeFileSync(path, formatted);
}
process.exit(check && unformatted > 0 ? 1 : 0);
