import { describe, expect, test } from 'vitest'
import { completionAt, insertionAt } from './definition-completion.ts'
import { definitionSchema as schema } from './definition-schema.ts'

const tables = [{ nome: 'Custos', colunas: ['Unidade', 'Valor_pago'] }]

/** The text with the cursor at '|'. */
const at = (marked: string) => {
  const offset = marked.indexOf('|')
  return { text: marked.replace('|', ''), offset }
}
const labels = (marked: string) => {
  const { text, offset } = at(marked)
  return completionAt(text, offset, { schema, tables })?.proposals.map(({ label }) => label)
}
/** Chooses a name, and returns the text with the new cursor. */
const choose = (marked: string, label: string) => {
  const { text, offset } = at(marked)
  const proposal = completionAt(text, offset, { schema, tables })?.proposals.find(
    (one) => one.label === label,
  )
  if (!proposal) throw new Error(`${label} is not proposed`)
  const { from, to, insert, cursor } = insertionAt(text, offset, proposal, schema)
  const next = text.slice(0, from) + insert + text.slice(to)
  return `${next.slice(0, cursor)}|${next.slice(cursor)}`
}
const visual = (inner: string) => `{"pages": [{"visuals": [{${inner}}]}]}`
const inVisual = (inner: string) => labels(visual(inner))

describe('completionAt', () => {
  test('completionAt proposes the fields of the place, with their descriptions', () => {
    expect(labels('{|}')).toEqual(expect.arrayContaining(['name', 'dataset', 'pages', 'filterPane']))
    expect(labels('{|}')).not.toContain('type')
    expect(inVisual('|')).toEqual(expect.arrayContaining(['type', 'title', 'query', 'slicer']))
    expect(inVisual('"ti|"')).toContain('title')
    expect(inVisual('"layout": {"|"}')).toEqual(['x', 'y', 'width', 'height'])
    const { text, offset } = at(visual('"ti|"'))
    const found = completionAt(text, offset, { schema, tables })
    expect(found?.from).toBe(text.indexOf('ti'))
    expect(found?.proposals.find(({ label }) => label === 'title')?.detail).toMatch(/^Título, até 120/)
  })

  test('completionAt proposes the types of visuals and other values', () => {
    expect(inVisual('"type": "|"')).toEqual(expect.arrayContaining(['card', 'stackedBar', 'slicer']))
    expect(inVisual('"type": |')).toContain('donut')
    expect(inVisual('"format": {"a": "|"}')).toContain('moeda')
    expect(inVisual('"slicer": {"style": "|"}')).toEqual(['list', 'search', 'dateRange'])
    expect(inVisual('"slicer": {"single": |}')).toEqual(['true', 'false'])
    expect(inVisual('"title": "|"')).toBeUndefined()
  })

  test.each([
    ['a query', '"query": "SELECT Va|"'],
    ['a query in lines', '"query": ["SELECT 1", "FROM |"]'],
    ['a measure of totals', '"totals": {"x": "sum(|"}'],
    ['a measure of a hierarchy', '"drill": {"values": {"x": "sum(|)"}}'],
  ])('completionAt proposes tables and columns in %s', (_, inner) => {
    expect(inVisual(inner)).toEqual(['Unidade', 'Valor_pago', 'Custos'])
  })

  test('completionAt proposes tables and columns in targets, and columns as names of results', () => {
    expect(inVisual('"slicer": {"target": {"table": "|"}}')).toEqual(['Custos'])
    expect(inVisual('"slicer": {"target": {"table": "Custos", "column": "|"}}')).toEqual([
      'Unidade',
      'Valor_pago',
    ])
    expect(inVisual('"labels": {"|"}')).toEqual(['Unidade', 'Valor_pago'])
    expect(labels('{"values": {"x": {"label": "|"}}}')).toBeUndefined()
  })

  test('completionAt works in a text that is not finished, and never fails', () => {
    expect(labels('{"pages": [{"visuals": [{"type": "|')).toContain('card')
    expect(labels('{"pages": [{"visuals": [{"query": "SELECT |')).toContain('Custos')
    for (const broken of ['|', '[|', '{"a|', '}|{', '"|', '{"pages": |', '{"x": 1|', '{"pages": [[|'])
      labels(broken)
    const whole = visual('"type": "card", "query": "SELECT 1 AS n FROM Custos", "layout": {"x": 1}')
    for (let offset = 0; offset <= whole.length; offset++) completionAt(whole, offset, { schema, tables })
    expect(labels('{"nada": {"|"}}')).toBeUndefined()
  })
})

describe('insertionAt', () => {
  test.each([
    ['{|}', 'name', '{"name": "|"}'],
    ['{"pa|"}', 'pages', '{"pages": [|]}'],
    ['{"na|": "x"}', 'name', '{"name"|: "x"}'],
    [visual('|'), 'layout', visual('"layout": { | }')],
    [visual('"type": "|"'), 'card', visual('"type": "card"|')],
    [visual('"type": |'), 'card', visual('"type": "card"|')],
    [visual('"type": "ca|r"'), 'donut', visual('"type": "donut"|')],
    [visual('"slicer": {"single": |}'), 'true', visual('"slicer": {"single": true|}')],
    [
      visual('"query": "SELECT sum(Va|) FROM x"'),
      'Valor_pago',
      visual('"query": "SELECT sum(Valor_pago|) FROM x"'),
    ],
  ])('%s: writes %s', (marked, label, expected) => {
    expect(choose(marked, label)).toBe(expected)
  })
})
