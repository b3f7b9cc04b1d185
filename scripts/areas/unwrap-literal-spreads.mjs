/*
 * node unwrap-literal-spreads.mjs ROOT [--write]
 * Replaces each literal that is spread into a literal (object in object, array in array, array in the arguments
 * of a call, object in the attributes of JSX) by its members, in all files that Git knows. Can be run again.
 * Leaves, and names, what is not the same without the spread: accessors, `super`, `__proto__`, holes.
 * A spread of a condition or of anything else but a literal stays. Format afterwards with Biome.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(process.argv[2] ?? '.')
const write = process.argv.includes('--write')
const { parseSync } = await import(pathToFileURL(join(root, 'node_modules/rolldown/dist/utils-index.mjs')).href)

const wrappers = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression', 'TSNonNullExpression', 'TSTypeAssertion'])
const unwrapped = (node) => (wrappers.has(node.type) ? unwrapped(node.expression) : node)
const isConst = (node) => node.type === 'ParenthesizedExpression' ? isConst(node.expression)
  : node.type === 'TSAsExpression' ? node.typeAnnotation.type === 'TSTypeReference' && node.typeAnnotation.typeName.name === 'const' && isConst(node.expression)
  : node.type === 'ObjectExpression' || node.type === 'ArrayExpression'

const kinds = [
  ['ObjectExpression', 'properties', 'SpreadElement', 'ObjectExpression'],
  ['ArrayExpression', 'elements', 'SpreadElement', 'ArrayExpression'],
  ['CallExpression', 'arguments', 'SpreadElement', 'ArrayExpression'],
  ['NewExpression', 'arguments', 'SpreadElement', 'ArrayExpression'],
  ['JSXOpeningElement', 'attributes', 'JSXSpreadAttribute', 'ObjectExpression'],
]
const left = []
const counts = {}

const keyName = (p) => p.key?.name ?? p.key?.value
function obstacle(parent, spread, literal) {
  if (!isConst(spread.argument)) return 'a type is asserted'
  if (literal.type === 'ArrayExpression') return literal.elements.some((e) => e === null) ? 'hole' : undefined
  for (const p of literal.properties) {
    if (p.type === 'SpreadElement') continue
    if (p.kind !== 'init') return 'accessor'
    if (!p.computed && keyName(p) === '__proto__') return '__proto__'
    if (parent.type === 'JSXOpeningElement' && (p.computed || p.key.type !== 'Identifier')) return 'key of JSX'
  }
  // A member that the outer literal names too: TypeScript refuses it once unwrapped.
  if (parent.type === 'ObjectExpression') {
    const own = parent.properties.filter((p) => p.type === 'Property' && !p.computed).map(keyName)
    const twice = literal.properties.filter((p) => p.type === 'Property' && !p.computed && own.includes(keyName(p)))
    if (twice.length) return `named twice: ${twice.map(keyName)}`
  }
  return undefined
}

function find(program) {
  const found = []
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (!node || typeof node !== 'object') return
    for (const [parent, list, spreadType, literalType] of kinds) {
      if (node.type !== parent) continue
      for (const spread of node[list]) {
        if (spread?.type !== spreadType) continue
        const literal = unwrapped(spread.argument)
        if (literal.type === literalType) found.push({ parent: node, spread, literal })
      }
    }
    for (const key in node) if (typeof node[key] === 'object') walk(node[key])
  }
  walk(program)
  return found
}

/** Members of a literal `as const` that are typed by nothing else around them. */
const keepConst = ["modelo: 'chave_criada'"]

function members(text, parent, literal) {
  const list = literal.elements ?? literal.properties
  if (list.length === 0) return ''
  if (parent.type === 'JSXOpeningElement')
    return list.map((p) => p.type === 'SpreadElement' ? `{${text.slice(p.start, p.end)}}`
      : p.value.type === 'Literal' && p.value.value === true ? p.key.name
      : p.value.type === 'Literal' && typeof p.value.value === 'string' && !/["\\\n&]/.test(p.value.value) ? `${p.key.name}="${p.value.value}"`
      : `${p.key.name}={${text.slice(p.value.start, p.value.end)}}`).join(' ')
  const end = list.at(-1).end
  const tail = text.slice(end, literal.end - 1)
  const comments = tail.replace(/^\s*,/, '')
  const content = keepConst.reduce((one, member) => one.replace(member, `${member} as const`), text.slice(literal.start + 1, end))
  return content + (comments.trim() ? `${comments.trimEnd()}\n` : '')
}

function unwrap(file, text) {
  for (;;) {
    const { program, errors } = parseSync(file, text)
    if (errors.length) throw new Error(`${file}: ${errors[0].message}`)
    const edits = []
    for (const { parent, spread, literal } of find(program)) {
      const why = obstacle(parent, spread, literal)
      if (why) continue
      if (edits.some((e) => spread.start < e.end && e.start < spread.end)) continue
      let { end } = spread
      let content = members(text, parent, literal)
      if (content === '') end += /^\s*,/.exec(text.slice(end))?.[0].length ?? 0
      const outer = /^\s*/.exec(content)[0]
      // Comments before the first member stay; the line break before it does not decide the layout of the whole.
      if (!outer.includes('\n')) content = content.slice(outer.length)
      else content = content.slice(outer.length)
      edits.push({ start: spread.start, end, content, kind: `${literal.type} in ${parent.type}` })
    }
    if (edits.length === 0) {
      for (const { parent, spread, literal } of find(program))
        left.push(`${file}: ${obstacle(parent, spread, literal)}: ${text.slice(spread.start, spread.end).replace(/\s+/g, ' ').slice(0, 100)}`)
      return text
    }
    edits.sort((a, b) => b.start - a.start)
    for (const { start, end, content, kind } of edits) {
      text = text.slice(0, start) + content + text.slice(end)
      counts[kind] = (counts[kind] ?? 0) + 1
      const group = /\.(test|long|journey)\.tsx?$|\/test\/|packages\/e2e/.test(file) ? 'in tests' : 'in source'
      counts[group] = (counts[group] ?? 0) + 1
    }
  }
}

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
  .split('\0').filter((file) => /\.(tsx?|m?js)$/.test(file) && existsSync(join(root, file)))
const changed = []
for (const file of files) {
  const before = readFileSync(join(root, file), 'utf8')
  if (!before.includes('...')) continue
  const after = unwrap(file, before)
  if (after === before) continue
  changed.push(file)
  if (write) writeFileSync(join(root, file), after)
}
if (write && changed.length) {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  for (let at = 0; at < changed.length; at += 400)
    execFileSync(process.execPath, [biome, 'check', '--write', '--max-diagnostics=none', ...changed.slice(at, at + 400)], { cwd: root, stdio: 'inherit' })
  for (const file of changed) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1
    if (lines > 400) console.log(`now ${lines} lines: ${file}`)
  }
}
console.log({ files: changed.length, ...counts })
for (const line of left) console.log('left:', line)
