import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { countClicks, upload, waitForPreview } from '../../pages/publishing.ts'
import { type Demo, startFresh } from '../../services/demo.ts'
import {
  ACTIVE_IN_AUGUST,
  ansAccounting,
  ansBeneficiaries,
  ansOperators,
  sidra,
  tabnet,
  tabnetAsWritten,
} from '../../stock/open-data.ts'

/* Files with the headings of Brazilian open data become sensible reports. The tests share one portal. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }

/** Clicks from the first page after signing in to the published report. */
const MAX_CLICKS = 25
/** Rows of a table before it is scrolled. */
const ROWS_AT_FIRST = 100

let demo: Demo
beforeAll(async () => {
  demo = await startFresh({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
}, 120_000)
afterAll(() => demo?.stop())

const number = (value: number) => value.toLocaleString('pt-BR')

interface Expected {
  /** The name of a box that is ticked before the publication. */
  tick?: string
  /** Title and number of each card; the first one counts the rows. */
  cards: [string, string][]
  slicers: string[]
  charts: string[]
  /** What the page says about the codes. */
  codes: RegExp
  rows: number
}

const files: [name: string, bytes: Buffer, expected: Expected][] = [
  [
    'ANS beneficiarios.csv',
    ansBeneficiaries((month) => `2025-0${month}`),
    {
      cards: [
        ['Linhas', '120'],
        ['QT_BENEFICIARIO_ATIVO', number(ACTIVE_IN_AUGUST)],
      ],
      slicers: ['NM_RAZAO_SOCIAL', 'SG_UF'],
      charts: ['QT_BENEFICIARIO_ATIVO por mês', 'QT_BENEFICIARIO_ATIVO por NM_RAZAO_SOCIAL'],
      codes: /não são somados: CD_OPERADORA e CD_MUNICIPIO\./,
      rows: 120,
    },
  ],
  [
    'ANS beneficiarios antigos.csv',
    ansBeneficiaries((month) => `20250${month}`),
    {
      cards: [
        ['Linhas', '120'],
        ['QT_BENEFICIARIO_ATIVO', number(ACTIVE_IN_AUGUST)],
      ],
      slicers: ['NM_RAZAO_SOCIAL', 'SG_UF'],
      charts: ['QT_BENEFICIARIO_ATIVO por mês', 'QT_BENEFICIARIO_ATIVO por NM_RAZAO_SOCIAL'],
      codes: /não são somados: CD_OPERADORA e CD_MUNICIPIO\./,
      rows: 120,
    },
  ],
  [
    'ANS operadoras.csv',
    ansOperators,
    {
      cards: [['Linhas', '60']],
      slicers: ['Modalidade', 'Bairro'],
      charts: ['Linhas por mês', 'Linhas por Modalidade'],
      codes: /não são somados: Registro_ANS, CNPJ, Numero, CEP, DDD, Telefone/,
      rows: 60,
    },
  ],
  [
    'ANS contabil.csv',
    ansAccounting,
    {
      cards: [
        ['Linhas', '60'],
        ['VL_SALDO_INICIAL', 'R$ 61.002,00'],
        ['VL_SALDO_FINAL', 'R$ 62.004,00'],
      ],
      slicers: ['DESCRICAO'],
      charts: ['VL_SALDO_INICIAL por DATA', 'VL_SALDO_INICIAL por DESCRICAO'],
      codes: /não são somados: REG_ANS e CD_CONTA_CONTABIL\./,
      rows: 60,
    },
  ],
  [
    'TABNET internacoes.csv',
    tabnet,
    {
      cards: [
        ['Linhas', '5'],
        ['Total', '1.580'],
        ['2026/Jan', '510'],
      ],
      slicers: [],
      charts: [],
      codes: /^(?!.*Códigos)/,
      rows: 5,
    },
  ],
  [
    'TABNET inteiro.csv',
    tabnetAsWritten,
    {
      tick: 'Deixar de fora a linha de total',
      cards: [
        ['Linhas', '5'],
        ['Total', '1.490'],
        ['2026/Jan', '510'],
      ],
      slicers: [],
      charts: [],
      codes: /^(?!.*Códigos)/,
      rows: 5,
    },
  ],
  [
    'SIDRA ocupados.csv',
    sidra,
    {
      cards: [
        ['Linhas', '40'],
        ['Valor', '4.780'],
      ],
      slicers: ['Município'],
      charts: ['Valor por Município: os 15 maiores'],
      codes: /não são somados: .*Município \(Código\).*Ano/,
      rows: 40,
    },
  ],
]

test.each(files)(
  '%s is published as a sensible report after at most 25 clicks',
  {
    timeout: 120_000,
  },
  async (name, bytes, expected) => {
    const visitor = await visit({ portal: demo.portal })
    const { page, main } = visitor
    const clicks = await countClicks(page)
    await visitor.enter(admin, '/')
    await press(page, 'Configurações')
    await press(page, 'Relatórios')
    await page
      .getByRole('link', { name: /^Publicar relatórios$/ })
      .last()
      .click()
    await main.getByText('ou solte-os aqui').waitFor()
    await upload(page, name, bytes)
    await main.getByText('Conferido: nenhum erro.').waitFor()
    if (expected.tick) {
      const box = main.getByLabel(expected.tick)
      await box.click()
      await expect.poll(() => box.isChecked()).toBe(true)
      await main.getByText('Conferido: nenhum erro.').waitFor()
    }
    const explained = main.getByRole('region', { name: 'O que a proposta faz com as colunas' })
    expect(await explained.textContent()).toMatch(expected.codes)
    await waitForPreview(page)
    await settled(visitor, `publishing ${name}`)
    await press(main, 'Publicar')
    await main.getByText('Relatório publicado!').waitFor()
    await main.getByRole('link', { name: 'Abrir relatório' }).click()
    const frame = await waitForRendered(page)
    expect(clicks.count).toBeGreaterThan(4)
    expect(clicks.count).toBeLessThanOrEqual(MAX_CLICKS)

    const titles = await frame.locator('.visual-heading h2').allInnerTexts()
    const data = await dataOf(frame)
    const cards = Object.keys(data)
      .filter((visual) => visual.startsWith('total_'))
      .map((visual, index) => [titles[index], data[visual]?.[0]?.[0]?.replaceAll('\u00A0', ' ')])
    expect(cards).toEqual(expected.cards)
    expect(titles.slice(cards.length)).toEqual(
      expect.arrayContaining([...expected.slicers, ...expected.charts]),
    )
    // The rows behind the cards.
    await frame.getByRole('tab', { name: 'Linhas' }).click()
    await expect
      .poll(async () => (await dataOf(frame)).linhas?.length)
      .toBe(Math.min(expected.rows, ROWS_AT_FIRST))
    await visitor.close()
  },
)

test('the rows that replace the data of a report may be wider, and the page says so', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal, ...looks[1] })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  const rows = (...values: string[]) =>
    Buffer.from(
      ['Unidade;Valor;Desconto', ...values.map((value, n) => `Centro ${n % 2};${value}`)].join('\n'),
    )
  await upload(page, 'Precos.csv', rows('100;8%', '200;10%'))
  await main.getByText('Conferido: nenhum erro.').waitFor()
  await press(main, 'Publicar')
  await main.getByText('Relatório publicado!').waitFor()
  await visitor.goto('/publicados')
  await main.getByRole('link', { name: 'Precos' }).click()
  await upload(page, 'maio.csv', rows('99,90;8', '1;10'))
  await main.getByText('A coluna Valor era número inteiro e agora é número.').waitFor()
  await main.getByText(/a coluna Desconto tem números sem %, como 8/).waitFor()
  expect(await main.getByRole('button', { name: /^Substituir por/ }).count()).toBe(0)
  await settled(visitor, 'a question about numbers without a percent sign')
  await main.getByLabel('Os números de Desconto').selectOption('DIVIDIR')
  await main.getByText('Na coluna Desconto, 8 foi lido como 8%, que é 0,08.').waitFor()
  await main.getByLabel('Tipo de Unidade').selectOption('NUMERO')
  await main.getByText(/linha 2: coluna Unidade: "Centro 0" não é um número/).waitFor()
  // What a person chose stays to be changed there, and nothing is replaced before.
  expect(await main.getByLabel('Tipo de Unidade').inputValue()).toBe('NUMERO')
  expect(await main.getByRole('button', { name: /^Substituir por/ }).count()).toBe(0)
  await main.getByLabel('Tipo de Unidade').selectOption('TEXTO')
  await main.getByText(/linha 2: coluna Unidade/).waitFor({ state: 'hidden' })
  await settled(visitor, 'columns that became wider')
  await press(main, 'Substituir por 2 linhas')
  await main.getByText('Dados substituídos (2 linhas)').waitFor()
  await visitor.close()
})
