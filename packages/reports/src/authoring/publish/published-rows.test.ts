import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  claimsDataset,
  claimsReport,
  type Files,
  fixtureFiles,
  visual,
  warningsOf,
  writeFiles,
} from '../../../test/fixture.ts'
import { check, publish } from './publish.ts'

/*
 * Kind: a dry run executes an author's SQL, which is a read of all rows without a role, a proof or
 * an audit line. A text, a difference or the mere presence of an error answers a question.
 */

const dataset = {
  ...claimsDataset,
  summaries: [{ name: 'Somas', of: 'Claims', by: ['operadora'], sums: ['valor'] }],
}
const header = 'id,operadora,sexo,valor,dia,pago,hora'
const line = (id: number, operadora: string, valor: number) =>
  `${id},${operadora},masculino,${valor},2024-01-05,true,2024-01-05 10:00:00`
const SECRET = 'SEGREDO'
const secretRows = [SECRET, SECRET, SECRET, 'CNU'].map((name, n) => line(n, name, 4242))
const otherRows = ['A', 'B', 'B', 'B', 'C'].map((name, n) => line(n + 7, name, n))

const foldersWith = async (rows: string[], pages: object[], more: Files = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'linhas-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const [dataDir, folder] = [join(home, 'dados'), join(home, 'autor')]
  await writeFiles(dataDir, {
    ...fixtureFiles,
    'datasets/claims/dataset.json': dataset,
    'datasets/claims/claims.csv': `${header}\n${rows.join('\n')}\n`,
  })
  await writeFiles(folder, {
    'one/workspace.json': fixtureFiles['workspaces/one/workspace.json'] ?? {},
    'one/claims.json': { ...claimsReport, pages },
    ...more,
  })
  const settings = { dataDir, memoryMegabytes: 256 }
  const asText = (value: object) => JSON.stringify(value).replaceAll(home, '')
  return { dataDir, folder, settings, asText }
}
const page = (...visuals: object[]) => [{ name: 'P', displayName: 'P', visuals }]

/** Each asks for a value or for one bit, in the text of an error, its presence or a difference. */
const secrets = `(SELECT string_agg(operadora || '=' || valor, ' | ') FROM Claims)`
const bit = `(SELECT count(*) FROM Claims WHERE operadora = '${SECRET}')`
const questions: Record<string, [query: string, more?: object]> = {
  error: [`SELECT operadora, error(${secrets}) AS n FROM Claims GROUP BY 1`, { summary: 'Somas' }],
  cast: [`SELECT operadora, ${secrets}::INTEGER AS n FROM Claims GROUP BY 1`, { summary: 'Somas' }],
  castOfRows: ['SELECT operadora::INTEGER AS n FROM Claims', { totals: { n: 'sum(n)' } }],
  date: [`SELECT strptime(${secrets}, '%Y') AS n`],
  pattern: [`SELECT regexp_matches('a', '(' || ${secrets}) AS n`],
  json: [`SELECT json_extract(${secrets}, '$.a') AS n`],
  limit: [`SELECT operadora FROM Claims LIMIT CAST(${secrets} AS INTEGER)`],
  range: [`SELECT * FROM range(CAST(${secrets} AS INTEGER))`],
  lambda: [`SELECT list_transform([${secrets}], lambda x: x::INTEGER) AS n`],
  materialized: [`WITH m AS MATERIALIZED (SELECT ${secrets}::INTEGER AS n) SELECT n FROM m`],
  oneBit: [`SELECT CASE WHEN ${bit} = 3 THEN ('x' || ${bit})::INTEGER END AS n`],
  oneBitOfChar: [`SELECT chr(CAST(-${bit} AS INTEGER)) AS n`],
  oneBitOverflow: [`SELECT (9223372036854775806 + ${bit})::BIGINT AS n`],
  difference: [
    `SELECT operadora, count(*) * ${bit} AS n FROM Claims GROUP BY operadora`,
    { summary: 'Somas' },
  ],
}
const visuals = Object.entries(questions).map(([name, [query, more]]) => visual(name, query, more))

describe('check of a report over published data', () => {
  test('check of a report over published data answers the same whatever the rows are, and quotes none of them', async () => {
    const outcomes = []
    for (const rows of [secretRows, otherRows, [...otherRows, ...secretRows]]) {
      const { folder, settings, asText } = await foldersWith(rows, page(...visuals))
      outcomes.push(asText(await check(settings, folder)))
    }
    expect(outcomes[0]).not.toMatch(/SEGREDO|4242/)
    expect(new Set(outcomes).size).toBe(1)
  })

  test('the check still explains mistakes in the words of the database, which knows the columns only', async () => {
    const { folder, settings } = await foldersWith(
      secretRows,
      page(visual('v', 'SELECT operadoras FROM Claims'), visual('w', 'SELECT sum(sexo) AS s FROM Claims')),
    )
    const { faults } = await check(settings, folder)
    expect(faults).toEqual([
      expect.stringMatching(/visuals\[0\]\.query: a coluna operadoras não existe \(parecidas: operadora/),
      expect.stringMatching(/visuals\[1\]\.query: sum não aceita texto/),
    ])
  })

  test('check of a report over published data leaves the comparison with an aggregation table to the publication, and says so', async () => {
    const different = 'SELECT operadora, count(*) AS n FROM Claims GROUP BY operadora'
    const { folder, settings } = await foldersWith(
      [...secretRows, ...secretRows],
      page(visual('v', different, { summary: 'Somas' })),
    )
    const { faults, remarks } = await check(settings, folder)
    expect(faults).toEqual([])
    expect(remarks).toEqual([
      expect.stringMatching(
        /claims\.json: pages\[0\]\.visuals\[0\]\.summary: o resultado com o resumo Somas só é comparado na publicação, porque a conferência não lê dados já publicados \(linha 1, coluna \d+\)$/,
      ),
    ])
    const published = await publish(settings, folder)
    expect(published.faults).toEqual([
      expect.stringMatching(/claims\.json: pages\[0\]\.visuals\[0\]: com as linhas já publicadas, /),
    ])
  })

  test('check of a report over published data does not read a data file that a definition names and the folder does not bring', async () => {
    // What is left in the folder of a dataset that is gone is in no definition.
    const lost = 'd0000000-0000-4000-8000-0000000000aa'
    const { dataDir, folder, settings, asText } = await foldersWith(secretRows, [], {
      'lost/dataset.json': {
        ...dataset,
        id: lost,
        requiresIdentity: false,
        roles: [],
        tables: { Claims: { file: 'claims.csv' } },
      },
      'one/claims.json': { ...claimsReport, dataset: lost, pages: page(...visuals), filterPane: [] },
    })
    const leftover = `${header}\n${[...secretRows, ...secretRows].join('\n')}\n`
    await writeFiles(dataDir, { 'datasets/lost/claims.csv': leftover })
    const outcome = await check(settings, folder)
    expect(outcome.faults.join()).toMatch(/a função error não é aceita/)
    expect(asText(outcome)).not.toMatch(/SEGREDO=|4242|o resultado é outro/)
  })

  test('check of a report over published data quotes the data that the author brings', async () => {
    const { folder, settings } = await foldersWith(
      secretRows,
      page(visual('v', 'SELECT operadora, count(*) AS n FROM Claims GROUP BY 1', { summary: 'Somas' })),
      {
        'claims/dataset.json': dataset,
        'claims/claims.csv': `${header}\n${[...otherRows, ...otherRows].map((one) => one.replace(',0,', ',,')).join('\n')}\n`,
        'claims/access.csv': 'email,operadora\na@x.br,A\n',
      },
    )
    const { faults, remarks } = await check(settings, folder)
    expect(faults.join()).toMatch(/com o resumo Somas o resultado é outro/)
    expect(remarks.join()).not.toMatch(/só é comparado na publicação/)
  })
})

describe('publication of a report over published data', () => {
  /*
   * Kind: an answer differs by cause, place or number, and each difference is a bit of the rows. An
   * author chooses the queries, so one publication could ask hundreds of questions.
   */
  const { error: _refused, ...accepted } = questions
  const yes = `(SELECT count(*) FROM Claims WHERE operadora = '${SECRET}') > 0`
  const causes: Record<string, [query: string, more?: object]> = {
    ...accepted,
    errorOrDifference: [
      `SELECT count(*) * CASE WHEN ${yes} THEN CAST(concat('x', count(*)) AS INTEGER) ELSE 1 END AS n FROM Claims`,
      { summary: 'Somas' },
    ],
    ofFilter: [
      `SELECT sum(valor) + CASE WHEN (SELECT count(DISTINCT operadora) FROM Claims) = 1 THEN count(*) ELSE 0 END AS n FROM Claims`,
      { summary: 'Somas' },
    ],
  }
  const faultsOf = async (rows: string[], ...asked: object[]) => {
    const { folder, settings, asText } = await foldersWith(rows, page(...asked))
    return JSON.parse(asText((await publish(settings, folder)).faults)) as string[]
  }

  test('publication of a report over published data says in one sentence, without cause or value, which visual fails first', async () => {
    const asked = Object.entries(causes).map(([name, [query, more]]) => visual(name, query, more))
    const good = visual('good', 'SELECT count(*) AS n FROM Claims')
    const rows = [...secretRows, ...secretRows]
    const outcomes = new Set<string>()
    for (const name of ['cast', 'ofFilter'])
      for (const fault of await faultsOf(rows, good, ...asked.filter((one) => one.name === name)))
        outcomes.add(fault)
    const sentence = expect.stringMatching(
      /claims\.json: pages\[0\]\.visuals\[1\]: com as linhas já publicadas, a consulta falha, [^:]*$/,
    )
    expect([...outcomes]).toEqual([sentence])
    expect(await faultsOf(rows, good, ...asked)).toEqual([...outcomes])
  }, 120_000)

  test('publication of a report over published data answers an error and a difference alike', async () => {
    const [query, more] = causes.errorOrDifference ?? ['']
    const asked = visual('v', query, more)
    const failed = await faultsOf([...secretRows, ...secretRows], asked)
    expect(failed).toHaveLength(1)
    expect(await faultsOf([...otherRows, ...otherRows], asked)).toEqual(failed)
  })

  test('publication of a report over published data says which reports and datasets it concerned, also when it failed', async () => {
    const concerned = { reports: [claimsReport.id.toLowerCase()], datasets: [claimsDataset.id.toLowerCase()] }
    for (const query of ['SELECT count(*) AS n FROM Claims', 'SELECT nada FROM Claims']) {
      const { folder, settings } = await foldersWith(secretRows, page(visual('v', query)))
      expect((await publish(settings, folder)).concerned).toEqual(concerned)
    }
  })
})

describe('the function error', () => {
  const pages = page(visual('v', "SELECT CASE WHEN id < 0 THEN error('negativo') END AS n FROM Claims"))
  const roles = [{ name: 'r', rows: { Claims: "CASE WHEN id < 0 THEN error('x') ELSE true END" } }]

  test('the function error is refused in a report and in a role that an author brings', async () => {
    const { folder, settings } = await foldersWith(secretRows, pages, {
      'claims/dataset.json': { ...claimsDataset, roles },
      'claims/claims.csv': `${header}\n${otherRows.join('\n')}\n`,
      'claims/access.csv': 'email,operadora\na@x.br,A\n',
    })
    const { faults } = await check(settings, folder)
    expect(faults.join('\n')).toMatch(/roles\[0\]\.rows\.Claims: a função error não é aceita aqui/)
    const other = await foldersWith(secretRows, pages)
    const published = await publish(other.settings, other.folder)
    expect(published.faults.join('\n')).toMatch(/visuals\[0\]\.query: a função error não é aceita aqui/)
  })

  test('the function error is accepted in what is published already, also when another report is published', async () => {
    const { folder, settings } = await foldersWith(
      secretRows,
      page(visual('v', 'SELECT count(*) AS n FROM Claims')),
    )
    await writeFiles(settings.dataDir, {
      'datasets/claims/dataset.json': { ...dataset, roles },
      'workspaces/two/old.json': {
        ...claimsReport,
        id: 'e0000000-0000-4000-8000-0000000000bb',
        filterPane: [],
        pages,
      },
    })
    expect((await publish(settings, folder)).faults).toEqual([])
  })

  test('the function error is accepted by the service in what is published already', async () => {
    const legacy = { 'workspaces/one/claims.json': { ...claimsReport, pages } }
    expect(await warningsOf(legacy)).toEqual([])
  })
})

test('the log of the service quotes no value of a published report that fails to load', async () => {
  const broken = page(visual('v', `WITH m AS MATERIALIZED (SELECT ${secrets}::INTEGER AS n) SELECT n FROM m`))
  const warnings = await warningsOf({
    'workspaces/one/claims.json': {
      ...claimsReport,
      pages: [...broken, { ...broken[0], name: 'Q', visuals: [visual('w', 'SELECT nada FROM Claims')] }],
    },
    'datasets/claims/claims.csv': `${header}\n${secretRows.join('\n')}\n`,
  })
  expect(warnings.join('\n')).not.toMatch(/SEGREDO|4242/)
  expect(warnings.join('\n')).toMatch(/visuals\[0\]\.query: o banco respondeu: Binder Error/)
})
