import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import {
  fixtureFiles,
  PLAIN_REPORT,
  plainReport,
  type Service,
  serviceWith,
  visual,
  warningsOf,
  writeFiles,
} from '../../../test/fixture.ts'
import { check } from './publish.ts'

/*
 * Kind: a map of JavaScript is read with a name that people write, and finds what every object
 * inherits.
 */

const inherited = Object.getOwnPropertyNames(Object.prototype)
const query = 'SELECT count(*) AS n FROM Claims'
const drill = {
  levels: [
    { column: 'x', label: 'X' },
    { column: 'y', label: 'Y' },
  ],
  values: { n: 'count(*)' },
}

const openReport = async (service: Service) => {
  const path = `/groups/a0000000-0000-4000-8000-000000000002/reports/${PLAIN_REPORT}/GenerateToken`
  const answer = await service.rest(await service.entraToken(), 'POST', path, { accessLevel: 'View' })
  return answer.json().token as string
}

test('check refuses inherited names of visuals, pages, bookmarks, measures and tables', async () => {
  const home = await mkdtemp(join(tmpdir(), 'nomes-'))
  onTestFinished(() => rm(home, { recursive: true }))
  await writeFiles(join(home, 'data'), fixtureFiles)
  await writeFiles(join(home, 'mine'), {
    'd/dataset.json': {
      id: 'd0000000-0000-4000-8000-0000000000cc',
      name: 'D',
      tables: { toString: { file: 'c.csv' } },
    },
    'd/c.csv': 'x\n1\n',
    'w/workspace.json': fixtureFiles['workspaces/two/workspace.json'] ?? {},
    'w/plain.json': {
      ...plainReport,
      bookmarks: [{ name: 'valueOf', displayName: 'B', page: 'constructor' }],
      pages: [
        {
          name: 'constructor',
          displayName: 'P',
          visuals: [
            ...inherited.map((name) => visual(name, query)),
            visual('m', query, {
              type: 'matrix',
              matrix: { rows: ['n'], values: { isPrototypeOf: 'sum(n)' } },
            }),
          ],
        },
      ],
    },
  })
  const settings = { dataDir: join(home, 'data'), memoryMegabytes: 256 }
  const { faults } = await check(settings, join(home, 'mine'))
  const refused = (place: string, name: string) =>
    `${place}: o nome ${name} é reservado, e o que o tem não apareceria no relatório: escolha outro`
  const said = faults.join('\n')
  for (const [index, name] of inherited.entries())
    expect(said).toContain(refused(`pages[0].visuals[${index}].name`, name))
  expect(said).toContain(refused('pages[0].name', 'constructor'))
  expect(said).toContain(refused('bookmarks[0].name', 'valueOf'))
  expect(said).toContain(
    refused(`pages[0].visuals[${inherited.length}].matrix.values.isPrototypeOf`, 'isPrototypeOf'),
  )
  expect(said).toContain(refused('tables.toString', 'toString'))
})

test('a published report with such names still opens, and each visual has its rows', async () => {
  const files = {
    'workspaces/two/plain.json': {
      ...plainReport,
      pages: [
        { name: 'Main', displayName: 'P', visuals: inherited.map((name) => visual(name, query)) },
        {
          name: 'Drill',
          displayName: 'D',
          visuals: inherited.map((name) =>
            visual(name, 'SELECT x, x AS y FROM Claims', { type: 'bar', drill }),
          ),
        },
      ],
    },
  }
  expect(await warningsOf(files)).toEqual([])
  const service = await serviceWith({ files })
  const token = await openReport(service)
  for (const page of ['Main', 'Drill']) {
    const answer = await service.data(token, [], page, PLAIN_REPORT)
    expect([page, answer.statusCode]).toEqual([page, 200])
    const { visuals, failures } = JSON.parse(answer.body)
    expect(Object.keys(visuals).toSorted()).toEqual(inherited.toSorted())
    expect(failures).toEqual({})
  }
})

test('the failure of a visual has its own name', async () => {
  const failing = 'SELECT x, chr(CAST(-x AS INTEGER)) AS c FROM Claims'
  const service = await serviceWith({
    files: {
      'workspaces/two/plain.json': {
        ...plainReport,
        pages: [{ name: 'Main', displayName: 'P', visuals: inherited.map((name) => visual(name, failing)) }],
      },
    },
  })
  const token = await openReport(service)
  const { failures } = JSON.parse((await service.data(token, [], 'Main', PLAIN_REPORT)).body)
  expect(Object.keys(failures).toSorted()).toEqual(inherited.toSorted())
})

test('a file whose headings are such names becomes a report without a fault', async () => {
  const calls = await beginDrafts(await serviceWith())
  const headings = ['constructor', 'prototype', 'toString', 'valueOf', '__proto__']
  const id = await calls.draft(`${headings.join(';')}\na;b;c;1;2\nd;e;f;3;4\na;b;c;5;6\n`)
  const { report, columns, faults } = await calls.call(`${id}/read`, { reportName: 'Nomes' })
  expect(faults).toEqual([])
  expect(columns.map(({ name }: { name: string }) => name)).toEqual([
    'c_constructor',
    'c_prototype',
    'c_toString',
    'c_valueOf',
    'proto',
  ])
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(report) }
  expect((await calls.call(`${id}/check`, body)).faults).toEqual([])
})
