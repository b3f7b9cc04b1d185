import { describe, expect, test } from 'vitest'
import { DeclaredPanel } from './panel-declaration.ts'
import { PanelChoice, panelFieldsOf, panelFiltersOf, specifiedPanel } from './panel-filters.ts'

const year = {
  tabela: 'Calendário',
  coluna: 'ano',
  rotulo: 'Ano',
  valores: [
    { valor: 2026, rotulo: '' },
    { valor: 2025, rotulo: 'Ano passado' },
  ],
  padrao: 2026,
}
const names = (fields: readonly { nome: string }[]) => fields.map(({ nome }) => nome)

describe('panelFieldsOf', () => {
  test("panelFieldsOf returns the specification's three filters when the report declares none", () => {
    expect(panelFieldsOf({ operadora: '' })).toEqual(specifiedPanel)
    expect(names(specifiedPanel)).toEqual(['operadora', 'sexo', 'titularidade'])
  })

  test('panelFieldsOf leaves out the filters of the specification whose column the report is known to lack', () => {
    const columns = ['sinistralidade/sexo', 'outra/operadora']
    expect(names(panelFieldsOf({ columns, operadora: 'CNU' }))).toEqual(['sexo'])
    expect(panelFieldsOf({ columns: [], operadora: 'CNU' })).toEqual([])
  })

  test('panelFieldsOf returns the declared filters in their order, with labels and default', () => {
    const region = { ...year, tabela: 'T', coluna: 'ativo', rotulo: 'Ativo', padrao: null }
    const declared = [year, { ...region, valores: [{ valor: true, rotulo: '' }] }]
    expect(panelFieldsOf({ declared, columns: [], operadora: 'CNU' })).toEqual([
      {
        nome: 'Calendário/ano',
        rotulo: 'Ano',
        tabela: 'Calendário',
        coluna: 'ano',
        padrao: '2026',
        opcoes: [
          { valor: '2026', rotulo: '2026', enviado: 2026 },
          { valor: '2025', rotulo: 'Ano passado', enviado: 2025 },
        ],
      },
      {
        nome: 'T/ativo',
        rotulo: 'Ativo',
        tabela: 'T',
        coluna: 'ativo',
        padrao: '',
        opcoes: [{ valor: 'true', rotulo: 'Sim', enviado: true }],
      },
    ])
    expect(panelFieldsOf({ declared: [], operadora: 'CNU' })).toEqual([])
  })

  test("panelFieldsOf preselects the report's operadora where the panel offers it and declares no default", () => {
    const defaultOf = (source: Parameters<typeof panelFieldsOf>[0]) => panelFieldsOf(source)[0]?.padrao
    expect(defaultOf({ operadora: 'SANTA_CASA' })).toBe('SANTA_CASA')
    expect(defaultOf({ operadora: 'UNIMED' })).toBe('')
    const own = { ...year, tabela: 'Sinistralidade', coluna: 'operadora', padrao: null }
    const valores = [
      { valor: 'UNIMED', rotulo: '' },
      { valor: 'CNU', rotulo: '' },
    ]
    expect(defaultOf({ declared: [{ ...own, valores }], operadora: 'UNIMED' })).toBe('UNIMED')
    expect(defaultOf({ declared: [{ ...own, valores, padrao: 'CNU' }], operadora: 'UNIMED' })).toBe('CNU')
  })
})

describe('panelFiltersOf', () => {
  test('panelFiltersOf returns a basic filter for each offered value, with the type of the declaration', () => {
    const fields = panelFieldsOf({ declared: [year], operadora: '' })
    const choice = { 'Calendário/ano': '2025', sexo: 'feminino', 'T/outra': 'x' }
    expect(panelFiltersOf(fields, choice).map(({ filter }) => filter)).toEqual([
      {
        $schema: 'http://powerbi.com/product/schema#basic',
        target: { table: 'Calendário', column: 'ano' },
        filterType: 1,
        operator: 'In',
        values: [2025],
      },
    ])
    expect(panelFiltersOf(fields, { 'Calendário/ano': "2025' or 1 eq 1" })).toEqual([])
    expect(panelFiltersOf(fields, { 'Calendário/ano': '' })).toEqual([])
  })

  test('panelFiltersOf applies a view saved before the column was declared', () => {
    const valores = ['titular', 'dependente'].map((valor) => ({ valor, rotulo: '' }))
    const declared = [
      { ...year, tabela: 'SINISTRALIDADE', coluna: 'titularidade', rotulo: 'Vínculo', valores, padrao: null },
    ]
    const fields = panelFieldsOf({ declared, operadora: '' })
    const [applied] = panelFiltersOf(fields, { operadora: 'CNU', sexo: '', titularidade: 'consulta' })
    expect(applied?.filter.values).toEqual(['dependente'])
    expect(panelFiltersOf(fields, { titularidade: 'titular' })[0]?.filter.values).toEqual(['titular'])
  })
})

test.each([
  ['a repeated column', [year, { ...year, tabela: 'calendário', rotulo: 'Outro' }], '1.coluna'],
  ['a repeated label', [year, { ...year, coluna: 'mes' }], '1.rotulo'],
  ['no value', [{ ...year, valores: [] }], '0.valores'],
  ['a repeated value', [{ ...year, valores: [...year.valores, { valor: 2026, rotulo: 'x' }] }], '0.valores'],
  ['values of two types', [{ ...year, valores: [...year.valores, { valor: 'x', rotulo: '' }] }], '0.valores'],
  ['a default that is not offered', [{ ...year, padrao: 2024 }], '0.padrao'],
  ['a control character', [{ ...year, tabela: 'a\u0000b' }], '0.tabela'],
  ['a number that is none', [{ ...year, padrao: Number.NaN }], '0.padrao'],
  ['an empty label', [{ ...year, rotulo: ' ' }], '0.rotulo'],
  [
    'too many filters',
    Array.from({ length: 9 }, (_, n) => ({ ...year, coluna: `c${n}`, rotulo: `${n}` })),
    '',
  ],
])('DeclaredPanel refuses %s', (_, filters, place) => {
  const { error } = DeclaredPanel.safeParse(filters)
  expect(error?.issues.map(({ path }) => path.join('.'))).toContain(place)
})

test('DeclaredPanel says which value is not acceptable', () => {
  const faulty = [{ ...year, valores: [{ valor: '', rotulo: '' }] }]
  expect(DeclaredPanel.safeParse(faulty).error?.issues[0]?.message).toBe('É necessário preencher este campo.')
  expect(DeclaredPanel.safeParse([{ ...year, padrao: 2030 }]).error?.issues[0]?.message).toBe(
    '2030 não está entre os valores.',
  )
})

test.each([
  [{ operadora: 'CNU', sexo: '', 'Dim Região/nome da região': 'Sul' }, true],
  [{ marca: 'x' }, false],
  [{ sexo: 'x'.repeat(101) }, false],
  [{ 'T/c\n': 'x' }, false],
  [{ 'T/c': 'a\u0000' }, false],
  [Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`T/c${n}`, 'x'])), false],
])('PanelChoice accepts %j: %s', (choice, isAccepted) => {
  expect(PanelChoice.safeParse(choice).success).toBe(isAccepted)
})

test('PanelChoice takes no key that would change the object itself', () => {
  const { data = {} } = PanelChoice.safeParse(JSON.parse('{"__proto__":{"operadora":"CNU"}}'))
  expect([Object.keys(data), data.operadora]).toEqual([[], undefined])
})
