import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Begun, beginReplacing, publishFile, rowsShown } from '../../../test/replacing.ts'

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 180_000 }

const rows = (heading: string, ...values: string[]) =>
  [`Unidade;${heading}`, ...values.map((value, index) => `Centro ${index % 2};${value}`)].join('\n')

/** Publishes a column, and returns calls that replace its rows. */
const begin = async (heading: string, ...values: string[]) => {
  const begun = await beginReplacing()
  const published = await publishFile(begun, rows(heading, ...values))
  const act =
    (what: '' | '/check') =>
    async (next: string | Buffer, choices: object = {}, name = 'novo.csv') =>
      (await begun.replace(published.reportId, await begun.draft(next, name), 'Custos', what, choices)).json()
  const table = async () => (await begun.get(`/publications/${published.reportId}/tables`)).value[0]
  const kindOf = async (name: string) =>
    (await table()).columns.find((one: { name: string }) => one.name === name).kind
  return { begun, published, check: act('/check'), replace: act(''), kindOf, sum: sumOf(begun, published) }
}
type Published = Awaited<ReturnType<typeof publishFile>>

/** Returns what the second card shows. */
const sumOf =
  ({ service, post }: Begun, { reportId, workspaceId, page }: Published) =>
  async (): Promise<number> => {
    const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
    const { token } = (await post(path, { accessLevel: 'View' })).json()
    return (await service.data(token, [], page, reportId)).json().visuals.total_2.rows[0][0]
  }

describe('new values that need a wider type', () => {
  test(
    'new values that need a wider type make a whole number a number, in the check and the publication, and say so',
    LONG,
    async () => {
      const { begun, published, check, replace, kindOf, sum } = await begin('Valor', '100', '200')
      expect(await kindOf('Valor')).toBe('integer')
      const next = rows('Valor', '99,90', '100')
      const outcome = { faults: [], rows: 2, changes: ['a coluna Valor era número inteiro e agora é número'] }
      expect(await check(next)).toMatchObject(outcome)
      expect(await kindOf('Valor')).toBe('integer')
      expect(await replace(next)).toMatchObject(outcome)
      expect(await kindOf('Valor')).toBe('number')
      expect(await sum()).toBeCloseTo(199.9)
      // A wider column stays as it is when later values do not need it.
      expect(await replace(rows('Valor', '7', '8'))).toMatchObject({ faults: [], changes: [] })
      expect(await kindOf('Valor')).toBe('number')
      // Each earlier version comes back with its type.
      const restored = (version: number) =>
        begun.post(`/publications/${published.reportId}/versions/${version}/restore`, {
          withData: true,
          author: 'Bia',
        })
      expect((await restored(1)).json().faults).toEqual([])
      expect([await kindOf('Valor'), await sum()]).toEqual(['integer', 300])
      expect((await restored(2)).json().faults).toEqual([])
      expect([await kindOf('Valor'), await sum()]).toEqual(['number', 199.9])
    },
  )

  // Codes have such headings too.
  test('new values that need a wider type make a whole number a number under any heading', async () => {
    const { replace, kindOf } = await begin('nivel', '1', '2', '3')
    expect(await replace(rows('nivel', '1.5', '2.3', '3.1'))).toMatchObject({
      faults: [],
      changes: ['a coluna nivel era número inteiro e agora é número'],
    })
    expect(await kindOf('nivel')).toBe('number')
    expect(await replace(rows('nivel', '1.1', '1.2', '1.10'))).toMatchObject({
      faults: [],
      remarks: expect.arrayContaining([
        expect.stringContaining('tem textos diferentes que são o mesmo número: "1.1" e "1.10"'),
      ]),
    })
  })

  test('new values that need a wider type make a date a date with time', async () => {
    const { replace, kindOf } = await begin('Dia', '01/03/2026', '02/04/2026')
    expect(await kindOf('Dia')).toBe('date')
    expect(await replace(rows('Dia', '01/03/2026 10:30', '02/04/2026 08:00'))).toMatchObject({
      faults: [],
      changes: ['a coluna Dia era data e agora é data e hora'],
    })
    expect(await kindOf('Dia')).toBe('timestamp')
  })

  test(
    'new values that need a wider type read a day in a column of moments as its midnight, and say so',
    LONG,
    async () => {
      const { replace, kindOf } = await begin('Dia', '01/03/2026 10:00', '02/03/2026 10:00')
      expect(await replace(rows('Dia', '03/03/2026', '02/03/2026 10:00', '04/03/2026'))).toMatchObject({
        faults: [],
        changes: [],
        remarks: [
          'novo.csv: coluna Dia: 2 valores sem hora ("03/03/2026") são meia-noite, o primeiro na linha 2',
        ],
        preview: [
          ['Centro 0', '2026-03-03 00:00:00'],
          ['Centro 1', '2026-03-02 10:00:00'],
          ['Centro 0', '2026-03-04 00:00:00'],
        ],
      })
      expect(await kindOf('Dia')).toBe('timestamp')
    },
  )

  test('wider values warn when the report hides the new decimals', async () => {
    const { check } = await begin('Quantidade', '100', '200')
    expect((await check(rows('Quantidade', '99,90', '1'))).remarks).toEqual([
      'novo.csv: o relatório mostra a coluna Quantidade sem casas decimais: para vê-las, troque na definição o formato inteiro de Quantidade por decimal2',
    ])
    expect((await check(rows('Quantidade', '99', '1'))).remarks).toEqual([])
  })

  test('new values that need a wider type of a Parquet file widen the column too', async () => {
    const { begun, replace, kindOf } = await begin('Valor', '100', '200')
    const id = await begun.draft(rows('Valor', '1,5', '2'), 'Outro.csv')
    await begun.post(`/drafts/${id}/read`, { reportName: 'x' })
    const file = join(begun.service.dataDir, '.publicacao/rascunhos', id, 'dados.parquet')
    expect(await replace(await readFile(file), {}, 'novo.parquet')).toMatchObject({
      faults: [],
      changes: ['a coluna Valor era número inteiro e agora é número'],
    })
    expect(await kindOf('Valor')).toBe('number')
  })

  // A number with a fraction holds 15 digits exactly.
  test('new values that need a wider type of 18 digits stay whole numbers, digit by digit', async () => {
    const { begun, published, replace, kindOf } = await begin('Carteira', '1', '2')
    const long = ['123456789012345678', '123456789012345679']
    const outcome = await replace(rows('Carteira', ...long))
    expect(outcome).toMatchObject({ faults: [], changes: [] })
    expect(outcome.preview.map(([, value]: string[]) => value)).toEqual(long)
    expect(await kindOf('Carteira')).toBe('integer')
    expect(await rowsShown(begun, published)).toBe(2)
  })

  test('new values that need a wider type keep an empty column as it is', async () => {
    const { replace, kindOf } = await begin('Valor', '100', '200')
    expect(await replace(rows('Valor', '', ''))).toMatchObject({ faults: [], changes: [] })
    expect(await kindOf('Valor')).toBe('integer')
  })
})

test('days that are all at midnight are still days', { timeout: 120_000 }, async () => {
  const { check } = await begin('Dia', '01/03/2026', '02/03/2026')
  expect(await check(rows('Dia', '05/03/2026 00:00', '06/03/2026 00:00'))).toMatchObject({
    faults: [],
    changes: [],
    preview: [
      [expect.anything(), '2026-03-05'],
      [expect.anything(), '2026-03-06'],
    ],
  })
})

describe('new values of a narrower or another type', () => {
  test.each([
    ['Valor', ['100', '200'], ['1', 'muito'], 'linha 3: coluna Valor: "muito" não é um número'],
    ['Valor', ['100', '200'], ['1,5', '01310'], 'linha 3: coluna Valor: "01310" não é um número'],
    [
      'Dia',
      ['01/03/2026', '02/03/2026'],
      ['x', '02/03/2026'],
      'linha 2: coluna Dia: "x" não é uma data, nem uma data e hora',
    ],
  ] as const)(
    'new values of a narrower or another type are refused with line and value: %s %j, then %j',
    async (heading, old, next, fault) => {
      const { check, replace } = await begin(heading, ...old)
      for (const act of [check, replace])
        expect((await act(rows(heading, ...next))).faults).toEqual([`novo.csv: ${fault}`])
    },
  )

  test('new values of a narrower or another type are accepted when a person chooses the type, and the report still works', async () => {
    const { begun, check, replace, kindOf } = await begin('CEP', '80010', '80020')
    const next = rows('CEP', '01310', '80010')
    expect((await check(next)).faults).toEqual(['novo.csv: linha 2: coluna CEP: "01310" não é um número'])
    const chosen = { types: { CEP: 'text' } }
    expect(await replace(next, chosen)).toMatchObject({
      faults: [],
      changes: ['a coluna CEP era número inteiro e agora é texto'],
      columns: [
        { name: 'Unidade', type: 'text', before: 'text' },
        { name: 'CEP', type: 'text', before: 'integer' },
      ],
      preview: [
        ['Centro 0', '01310'],
        ['Centro 1', '80010'],
      ],
    })
    expect(await kindOf('CEP')).toBe('text')
    expect(begun).toBeDefined()
  })

  test('new values of a narrower or another type are refused by the report that sums them, whatever a person chooses', async () => {
    const { check, kindOf } = await begin('Valor', '100', '200')
    const { faults } = await check(rows('Valor', 'a', 'b'), { types: { Valor: 'text' } })
    expect(faults[0]).toMatch(/visuals\[1\]\.query: .*sum/)
    expect(await kindOf('Valor')).toBe('integer')
  })
})

describe('percentages', () => {
  const signs = ['8%', '10%']
  const plain = ['8', '10']
  const asked = /a coluna Desconto tem números sem %, como 8, e os dados publicados são percentuais/
  const askedOfSigns = /a coluna Desconto tem percentuais, e os dados publicados não/

  test(
    'percentages that lose their sign are not published before a person says what they are',
    LONG,
    async () => {
      const { check, replace, sum } = await begin('Desconto', ...signs)
      expect(await sum()).toBeCloseTo(0.09)
      const next = rows('Desconto', ...plain)
      for (const act of [check, replace])
        expect(await act(next)).toMatchObject({
          faults: [expect.stringMatching(asked)],
          questions: [{ name: 'Desconto', label: 'Desconto', hasSign: false, example: '8' }],
        })
      expect(await sum()).toBeCloseTo(0.09)
      const divided = { scales: { Desconto: 'divided' } }
      expect(await replace(next, divided)).toMatchObject({
        faults: [],
        questions: [],
        changes: ['na coluna Desconto, 8 foi lido como 8%, que é 0,08'],
        preview: [
          ['Centro 0', '0.08'],
          ['Centro 1', '0.1'],
        ],
      })
      expect(await sum()).toBeCloseTo(0.09)
      // The answer holds for later files, such as those of a schedule; a sign is a percentage as before.
      expect(await replace(rows('Desconto', '20', '40'))).toMatchObject({ faults: [], questions: [] })
      expect(await sum()).toBeCloseTo(0.3)
      // It was about numbers such as 8.
      expect(await replace(rows('Desconto', '0,08', '0,125'))).toMatchObject({
        questions: [{ name: 'Desconto', hasSign: false, example: '0.08' }],
      })
      expect(await sum()).toBeCloseTo(0.3)
      expect(await replace(rows('Desconto', '50%', '30%'))).toMatchObject({ faults: [], changes: [] })
      expect(await sum()).toBeCloseTo(0.4)
    },
  )

  test('percentages may become other numbers when a person says so', async () => {
    const { replace, sum } = await begin('Desconto', ...signs)
    const asRead = { scales: { Desconto: 'asRead' } }
    expect(await replace(rows('Desconto', '5', '7'), asRead)).toMatchObject({ faults: [], changes: [] })
    expect(await sum()).toBeCloseTo(6)
    expect((await replace(rows('Desconto', ...signs))).faults).toEqual([expect.stringMatching(askedOfSigns)])
  })

  test(
    'percentages after plain numbers are asked about, and keep the numbers of before if a person says so',
    LONG,
    async () => {
      const { check, replace, sum } = await begin('Desconto', '8,5', '10')
      const next = rows('Desconto', '7%', '9%')
      expect(await check(next)).toMatchObject({
        faults: [expect.stringMatching(askedOfSigns)],
        questions: [{ name: 'Desconto', hasSign: true }],
      })
      const multiplied = { scales: { Desconto: 'multiplied' } }
      expect(await replace(next, multiplied)).toMatchObject({
        faults: [],
        changes: expect.arrayContaining(['na coluna Desconto, 8% foi lido como 8']),
      })
      expect(await sum()).toBe(16)
      expect(await replace(rows('Desconto', '20%', '40%'))).toMatchObject({ faults: [], questions: [] })
      expect(await sum()).toBe(60)
      expect(await replace(rows('Desconto', '1', '2'))).toMatchObject({ faults: [], questions: [] })
      expect(await sum()).toBe(3)
    },
  )

  test('percentages that become fractions are asked about with both readings, once', LONG, async () => {
    const { check, replace, sum } = await begin('Desconto', ...signs)
    expect(await check(rows('Desconto', '0', '0,3'))).toMatchObject({
      faults: [expect.stringMatching(/como 0,3, .*e diga se 0,08 é 8% ou 0,08%;/)],
      questions: [{ hasSign: false, isFraction: true, example: '0.3', answers: ['share', 'divided'] }],
    })
    expect(await replace(rows('Desconto', '0,3', '0,7'), { scales: { Desconto: 'divided' } })).toMatchObject({
      faults: [],
      changes: ['na coluna Desconto, 0,3 foi lido como 0,3%, que é 0,003'],
    })
    expect(await sum()).toBeCloseTo(0.005)
    // Where 0.3 is 0.3%, 8 is 8%.
    for (const [next, shown] of [
      ['0,9', 0.009],
      ['9', 0.09],
    ] as const) {
      expect(await replace(rows('Desconto', next, next))).toMatchObject({ faults: [], questions: [] })
      expect(await sum()).toBeCloseTo(shown)
    }
  })

  test('percentages that are kept as 8 take fractions of which 0.08 is 8%', LONG, async () => {
    const { replace, sum } = await begin('Desconto', '8,5', '10')
    await replace(rows('Desconto', '7%', '9%'), { scales: { Desconto: 'multiplied' } })
    expect(await replace(rows('Desconto', '0,08', '0,12'), { scales: { Desconto: 'share' } })).toMatchObject({
      faults: [],
      changes: ['na coluna Desconto, 0,08 foi lido como 8%, que é 8'],
    })
    expect(await sum()).toBe(20)
    expect(await replace(rows('Desconto', '0,5', '0,25'))).toMatchObject({ faults: [], questions: [] })
    expect(await sum()).toBe(75)
  })

  test('percentages name no value to the readers of a schedule', async () => {
    const { begun, published } = await begin('Desconto', ...signs)
    const id = await begun.draft(rows('Desconto', ...plain))
    const { faults } = (
      await begun.replace(published.reportId, id, 'Custos', '', { quotesData: false })
    ).json()
    expect(faults).toEqual([
      expect.stringMatching(/tem números sem %, e os dados publicados são percentuais/),
    ])
    expect(await rowsShown(begun, published)).toBe(2)
  })
})
