import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import {
  type Files,
  OTHER_GROUP,
  PLAIN,
  PLAIN_REPORT,
  plainReport,
  REPORT,
  type Service,
  serviceWith,
  visual,
} from '../../../test/fixture.ts'
import { buildApp } from '../../app.ts'
import { remove } from '../publish/publish.ts'
import { MAX_PREVIEWS, PREVIEW_SECONDS } from './draft-previews.ts'

const csv = 'Unidade;Valor\nCentro;1,5\nNorte;2,5\nCentro;3\n'

/** Sends and reads a file; `show` asks for a preview of its proposal, changed or not. */
const begin = async (service: Service, person?: string, name = 'Custos.csv') => {
  const calls = await beginDrafts(service, person)
  const id = await calls.draft(csv, name)
  const { report } = await calls.call(`${id}/read`, { reportName: 'Custos' })
  const show = (text = JSON.stringify(report)) =>
    calls.post(`${id}/preview`, { workspace: { name: 'Área' }, report: text })
  return { ...calls, id, report, show }
}
/** Below its sum, the card has the number of its rows. */
const sumsOf = (answer: { json: () => { visuals: { total_2: { rows: number[][] } } } }) =>
  answer.json().visuals.total_2.rows.map(([sum]) => [sum])
const rowsOf = async (service: Service, { token, reportId }: { token: string; reportId: string }) => {
  const answer = await service.data(token, [], 'geral', reportId)
  return answer.statusCode === 200 ? sumsOf(answer) : answer.statusCode
}

/** Begins a folder of a person; `preview` asks for one of its reports. */
const beginFolder = async (service: Service) => {
  const headers = { authorization: `Bearer ${await service.entraToken()}`, 'x-requested-for': 'ana' }
  const post = (path: string, payload: object) =>
    service.app.inject({ method: 'POST', url: `/v1.0/myorg/drafts/folders${path}`, headers, payload })
  const { id } = (await post('', { name: 'pasta' })).json()
  const send = async (files: Files) => {
    for (const [path, content] of Object.entries(files)) {
      const url = `/v1.0/myorg/drafts/folders/${id}/files?path=${encodeURIComponent(path)}`
      const type = { 'content-type': 'application/octet-stream' }
      const payload = typeof content === 'string' ? content : JSON.stringify(content)
      await service.app.inject({ method: 'POST', url, headers: { ...headers, ...type }, payload })
    }
  }
  const preview = (report: string) => post(`/${id}/preview`, { report })
  return { id: id as string, send, preview, publish: () => post(`/${id}/publish`, {}) }
}

describe('a preview of a draft', () => {
  test('a preview of a draft is drawn from its data with a token of its own, and changes with the definition', async () => {
    const service = await serviceWith()
    const { report, show } = await begin(service)
    const shown = (await show()).json()
    expect(shown).toMatchObject({ faults: [], embedUrl: expect.stringContaining('/reportEmbed?reportId=') })
    expect(Date.parse(shown.expiration) - service.clock.now).toBe(PREVIEW_SECONDS * 1000)
    expect(await rowsOf(service, shown)).toEqual([[7]])
    const described = await service.embed(shown.token, 'GET', `/reports/${shown.reportId}`)
    expect(described.json()).toMatchObject({ name: 'Custos' })
    const next = (await show(JSON.stringify(report).replace('sum(Valor)', 'max(Valor)'))).json()
    expect(next.reportId).toBe(shown.reportId)
    expect(await rowsOf(service, next)).toEqual([[3]])
  })

  test('a preview of a draft is published nowhere, and has another id than the report', async () => {
    const service = await serviceWith()
    const { token, report, show } = await begin(service)
    const { reportId } = (await show()).json()
    expect(reportId).not.toBe(report.id)
    expect((await service.rest(token, 'GET', `/reports/${reportId}`)).statusCode).toBe(404)
    const listed = (await service.rest(token, 'GET', '/reports')).json().value
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(reportId)
    const body = { reports: [{ id: reportId }] }
    expect((await service.rest(token, 'POST', '/GenerateToken', body)).statusCode).toBe(404)
  })

  test('a preview of a draft is opened by its own token only, which opens no other report', async () => {
    const service = await serviceWith()
    const { show } = await begin(service)
    const other = await begin(service, 'bia', 'Outro.csv')
    const shown = (await show()).json()
    const theirs = (await other.show()).json()
    expect(await rowsOf(service, { ...shown, token: theirs.token })).toBe(403)
    expect(await rowsOf(service, { ...shown, token: await service.embedToken(['todos']) })).toBe(403)
    expect((await service.data(shown.token, [], 'Main', REPORT)).statusCode).toBe(403)
  })

  test('a preview of a draft is shown to the person who sent the file only', async () => {
    const service = await serviceWith()
    const { id, report } = await begin(service)
    const { post } = await beginDrafts(service, 'bia')
    const body = { workspace: { name: 'Área' }, report: JSON.stringify(report), reportName: 'x' }
    for (const act of ['preview', 'read', 'check', 'publish']) {
      const answer = await post(`${id}/${act}`, body)
      expect([act, answer.statusCode, answer.json().error?.code]).toEqual([act, 404, 'DraftNotFound'])
    }
  })

  test('a preview of a draft ends with its time, and begins again with the next order', async () => {
    const service = await serviceWith()
    const { show } = await begin(service)
    const shown = (await show()).json()
    service.clock.now += PREVIEW_SECONDS * 1000
    expect(await rowsOf(service, shown)).toBe(403)
    expect(await rowsOf(service, (await show()).json())).toEqual([[7]])
  })

  test('a preview of a draft gives its memory to others, and is loaded again when it is used', async () => {
    const service = await serviceWith()
    const { show } = await begin(service)
    const shown = (await show()).json()
    for (let count = 0; count < MAX_PREVIEWS; count++)
      expect((await (await begin(service, undefined, `${count}.csv`)).show()).statusCode).toBe(200)
    expect(await rowsOf(service, shown)).toEqual([[7]])
  })

  test('a preview of a draft stays open for a reader whose data is on the way while others take its place', async () => {
    const service = await serviceWith()
    const { show } = await begin(service)
    const shown = (await show()).json()
    const others = await Promise.all(
      Array.from({ length: MAX_PREVIEWS }, (_, count) => begin(service, undefined, `${count}.csv`)),
    )
    const reading = Array.from({ length: 5 }, () => rowsOf(service, shown))
    const showing = others.map(({ show }) => show())
    expect(await Promise.all(reading)).toEqual(reading.map(() => [[7]]))
    await Promise.all(showing)
    expect(await rowsOf(service, shown)).toEqual([[7]])
  })

  test('a preview of a draft of a folder shows the chosen report with an id of its own, beside the published one', async () => {
    const service = await serviceWith()
    const { send, preview } = await beginFolder(service)
    const tables = { Claims: { file: 'c.csv' } }
    const changed = {
      ...plainReport,
      pages: [{ ...plainReport.pages[0], visuals: [visual('n', 'SELECT 41 + count(*) AS n FROM Claims')] }],
    }
    await send({
      'd/dataset.json': { id: PLAIN, name: 'Simples', tables },
      'd/c.csv': 'x\n1\n',
      'w/workspace.json': { id: OTHER_GROUP, name: 'Outro' },
      'w/plain.json': changed,
    })
    const shown = (await preview(PLAIN_REPORT)).json()
    expect(shown.faults).toEqual([])
    expect(shown.reportId).not.toBe(PLAIN_REPORT)
    const { visuals } = (await service.data(shown.token, [], 'Main', shown.reportId)).json()
    expect(visuals.n.rows).toEqual([[42]])
    expect((await preview(REPORT)).statusCode).toBe(404)
    // The published report is still the old one.
    const stored = JSON.parse(await readFile(join(service.dataDir, 'workspaces/two/plain.json'), 'utf8'))
    expect(stored.id).toBe(PLAIN_REPORT)
  })

  // Kind: a path that shows rows, and that neither a proof nor an audit line covers.
  test('a preview of a draft of a folder without the data of its report is refused, and reads no published row', async () => {
    const service = await serviceWith()
    const { id, send, preview } = await beginFolder(service)
    const workspace = { 'w/workspace.json': { id: OTHER_GROUP, name: 'Outro' }, 'w/plain.json': plainReport }
    await send(workspace)
    const refused = (await preview(PLAIN_REPORT)).json()
    expect(refused).toEqual({ faults: [expect.stringMatching(/a prévia não mostra dados já publicados/)] })
    // A definition of the dataset alone would read the published file.
    const partial = await beginFolder(service)
    const tables = { Claims: { file: 'c.csv' }, Novo: { file: 'n.csv' } }
    await partial.send({
      ...workspace,
      'd/dataset.json': { id: PLAIN, name: 'Simples', tables },
      'd/n.csv': 'x\n1\n',
    })
    expect((await partial.preview(PLAIN_REPORT)).json()).toEqual({ faults: [expect.any(String)] })
    for (const draft of [id, partial.id]) {
      const kept = await readdir(join(service.dataDir, '.publicacao/rascunhos', draft), { recursive: true })
      expect(kept.filter((path) => path.startsWith('previa'))).toEqual([])
    }
  })

  // Kind: a token says which id it opens, and not of what, so that one kind opens another's things.
  test('a preview of a draft is all that its token opens, and no other token opens it, also when its id is published', async () => {
    const service = await serviceWith()
    const { send, preview } = await beginFolder(service)
    const pages = [
      { ...plainReport.pages[0], visuals: [visual('n', 'SELECT 41 + count(*) AS n FROM Claims')] },
    ]
    const workspace = { 'w/workspace.json': { id: OTHER_GROUP, name: 'Outro' } }
    await send({
      ...workspace,
      'd/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.csv' } } },
      'd/c.csv': 'x\n1\n',
      'w/plain.json': { ...plainReport, pages },
    })
    const { reportId, token } = (await preview(PLAIN_REPORT)).json()
    const other = await beginFolder(service)
    await other.send({ ...workspace, 'w/novo.json': { ...plainReport, id: reportId, name: 'Novo', pages } })
    expect((await other.publish()).json().faults).toEqual([])
    const rows = async (token: string) => {
      const answer = await service.data(token, [], 'Main', reportId)
      return answer.statusCode === 200 ? answer.json().visuals.n.rows : answer.statusCode
    }
    const named = async (token: string) =>
      (await service.embed(token, 'GET', `/reports/${reportId}`)).json().name
    const entra = await service.entraToken()
    const reports = [{ id: reportId }]
    const ordinary = (await service.rest(entra, 'POST', '/GenerateToken', { reports })).json().token
    expect([await named(token), await rows(token)]).toEqual([plainReport.name, [[42]]])
    expect([await named(ordinary), await rows(ordinary)]).toEqual(['Novo', [[43]]])
    await remove({ dataDir: service.dataDir, memoryMegabytes: 256 }, reportId)
    await service.versions.refresh()
    expect([await rows(token), await rows(ordinary)]).toEqual([[[42]], 404])
  })

  test('a preview of a draft of a folder that cannot be published says why', async () => {
    const service = await serviceWith()
    const { send, preview } = await beginFolder(service)
    await send({
      'one/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.csv' } } },
      'one/c.csv': 'x\n1\n',
      'two/dataset.json': { id: PLAIN, name: 'Simples', tables: { Claims: { file: 'c.csv' } } },
      'two/c.csv': 'x\n1\n',
      'w/workspace.json': { id: OTHER_GROUP, name: 'Outro' },
      'w/plain.json': plainReport,
    })
    const { faults, token } = (await preview(PLAIN_REPORT)).json()
    expect(faults).toEqual([expect.stringMatching(/^two: tem o mesmo destino que one$/)])
    expect(token).toBeUndefined()
  })

  test('a preview of a draft is shown by every process of the service, in its newest version', async () => {
    const service = await serviceWith()
    const { report, show } = await begin(service)
    const shown = (await show()).json()
    const { app, loaded } = await buildApp(service.config, { now: () => service.clock.now })
    onTestFinished(() => app.close())
    await loaded
    const fromOther = async () => {
      const answer = await app.inject({
        method: 'POST',
        url: `/embed-api/reports/${shown.reportId}/data`,
        headers: { authorization: `EmbedToken ${shown.token}` },
        payload: { page: 'geral', filters: [] },
      })
      return sumsOf(answer)
    }
    expect(await fromOther()).toEqual([[7]])
    await show(JSON.stringify(report).replace('sum(Valor)', 'max(Valor)'))
    expect(await fromOther()).toEqual([[3]])
  })

  test('a preview of a draft says what is wrong with its place; the earlier one stays', async () => {
    const service = await serviceWith()
    const { report, show } = await begin(service)
    const shown = (await show()).json()
    const text = JSON.stringify(report, null, 2)
    const { faults, token } = (await show(text.replace('sum(Valor)', 'sum(Custo)'))).json()
    expect(faults[0]).toMatch(
      /^Relatório: pages\[0\]\.visuals\[1\]\.query: .*Custo.*\(linha \d+, coluna \d+\)$/,
    )
    expect(token).toBeUndefined()
    expect((await show('{"id": ')).json().faults[0]).toMatch(/^Relatório: .*linha 1/)
    expect((await show(text.replace(report.id, REPORT))).json().faults[0]).toContain(`deixe ${report.id}`)
    expect(await rowsOf(service, shown)).toEqual([[7]])
  })
})
