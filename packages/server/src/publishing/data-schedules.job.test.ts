import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { companyTls, trustAuthority } from '../../test/outbound/company-network.ts'
import { createConnection } from '../../test/reports.ts'
import {
  address,
  dataScheduleSuite,
  fromFolder,
  hour,
  silent,
} from '../../test/stand-ins/data-schedule-suite.ts'
import { datasetId, reportId } from '../../test/stand-ins/provider-stand-in.ts'
import { spreadsheetOf } from '../../test/stand-ins/spreadsheets.ts'
import { setTestRestore } from '../platform/installation/test-environment.ts'
import { runDueSchedules } from './data-schedules.job.ts'

const { suite, signedIn, home, file, begin, pass, look, last, sent, notified } = dataScheduleSuite()

describe('a schedule of a folder', () => {
  test('a schedule of a folder replaces the data when it is due, once, and audits it', async () => {
    const { idPowerBi } = await begin()
    await runDueSchedules(suite.app.services, silent)
    expect(sent('/data')).toEqual([])
    await look()
    await runDueSchedules(suite.app.services, silent)
    expect(sent('/drafts').map(({ body }) => body)).toEqual(['Valor\n1\n'])
    expect(sent('/data').map(({ body }) => JSON.parse(body))).toMatchObject([
      // All administrators read its faults.
      { table: 'Custos', author: 'Agendamento', quotesData: false },
    ])
    expect(sent('/discard')).toHaveLength(1)
    expect(await last()).toMatchObject({
      resultado: 'SUBSTITUIDO',
      frase: 'Dados substituídos (2 linhas). Um aviso.',
    })
    const lines = await suite.app.db
      .selectFrom('auditoria')
      .select(['idUsuario', 'objeto', 'detalhes'])
      .where('acao', '=', 'publication.data-replaced')
      .execute()
    expect(lines).toEqual([
      {
        idUsuario: null,
        objeto: `powerbi:${idPowerBi}`,
        detalhes: { reportId, tabela: 'Custos', causa: 'agenda' },
      },
    ])
    const ends = suite.app.db.selectFrom('auditoria').select(['idUsuario', 'detalhes'])
    expect(await ends.where('acao', '=', 'publication.ended').execute()).toMatchObject([
      { idUsuario: null, detalhes: { reportId, resultado: 'PUBLICADA', conjuntos: [datasetId] } },
    ])
  })

  test('a schedule of a folder says in its result which columns became wider', async () => {
    await begin()
    suite.provider.answer('replaceData', () => ({
      body: {
        faults: [],
        remarks: [],
        rows: 2,
        changes: ['a coluna Valor era número inteiro e agora é número'],
      },
    }))
    await pass(hour)
    await look(0)
    expect((await last()).frase).toBe(
      'Dados substituídos (2 linhas). A coluna Valor era número inteiro e agora é número.',
    )
  })

  test('a schedule of a folder replaces nothing while the file is the same', async () => {
    await begin()
    await look()
    await look()
    expect(sent('/data')).toHaveLength(1)
    expect(await last()).toMatchObject({ resultado: 'INALTERADO' })
    writeFileSync(file, 'Valor\n2\n')
    await look()
    expect(sent('/data')).toHaveLength(2)
  })

  test('a schedule of a folder says one row in the singular', async () => {
    await begin()
    suite.provider.answer('replaceData', () => ({ body: { faults: [], remarks: [], rows: 1 } }))
    await look()
    expect(await last()).toMatchObject({ resultado: 'SUBSTITUIDO', frase: 'Dados substituídos (1 linha).' })
  })

  test('a schedule of a folder runs once in several processes', async () => {
    await begin()
    await pass(hour)
    await Promise.all([1, 2, 3].map(() => runDueSchedules(suite.app.services, silent)))
    expect(sent('/data')).toHaveLength(1)
  })

  test('a schedule of a folder does not run while it is not active, nor in a test restore', async () => {
    await begin({ ativa: false })
    await look()
    expect((await signedIn.admin.get(address)).body.agenda.proximaEm).toBeNull()
    await signedIn.admin.put(address, fromFolder)
    const moment = new Date().toISOString()
    await setTestRestore(suite.app.db, { restauradaEm: moment, copiaDe: moment, bucket: null })
    await look()
    await setTestRestore(suite.app.db, null)
    expect(sent('/drafts')).toEqual([])
  })
})

test('a schedule sends a spreadsheet as it is, under its kind, and an unchanged one only once', async () => {
  await begin({ endereco: 'vendas/abril.xlsx' })
  const spreadsheet = spreadsheetOf([['Valor'], [7.5]], [['Outra'], [1]])
  writeFileSync(file.replace('.csv', '.xlsx'), spreadsheet)
  await look()
  const received = sent('/drafts').map(({ path, body }) => [path.split('?')[1], String(body).slice(0, 2)])
  expect(received).toEqual([['name=Arquivo%20agendado.xlsx', 'PK']])
  await look()
  expect(await last()).toMatchObject({ resultado: 'INALTERADO' })
})

describe('a failed run', () => {
  test('a failed run is shown and notified to each ADMIN once, until a later one succeeds', async () => {
    await begin()
    rmSync(file)
    await look()
    await look()
    const frase = 'O arquivo não existe na pasta de dados.'
    expect(await last()).toMatchObject({ resultado: 'FALHOU', frase })
    expect(await notified()).toEqual([
      {
        texto: `${frase} Os dados anteriores continuam no ar.`,
        rota: `/publicados/${reportId}`,
        lidaEm: null,
        assunto: `agenda-dados:${reportId}`,
      },
    ])
    writeFileSync(file, 'Valor\n1\n')
    await look()
    expect((await notified()).map(({ lidaEm }) => lidaEm !== null)).toEqual([true])
  })

  test('a failed run says what the service refused, and tries the same file again', async () => {
    await begin()
    const faults = ['Arquivo agendado.csv: falta a coluna Valor']
    suite.provider.answer('replaceData', () => ({ body: { faults, remarks: [], rows: 0 } }))
    await look()
    expect(await last()).toMatchObject({ resultado: 'FALHOU', frase: `${faults[0]}.` })
    await look()
    expect(sent('/data')).toHaveLength(2)
    expect(sent('/discard')).toHaveLength(2)
    expect(await notified()).toHaveLength(1)
  })

  test.each([
    ['a link', () => symlinkSync(join(home, 'segredo.csv'), file), /atalho/],
    ['a page', () => writeFileSync(file, '<!DOCTYPE html><html>'), /uma página/],
  ])('the run names %s, and sends nothing', async (_name, prepare, sentence) => {
    await begin()
    writeFileSync(join(home, 'segredo.csv'), 'a\n1\n')
    rmSync(file)
    prepare()
    await look()
    expect((await last()).frase).toMatch(sentence)
    expect(sent('/drafts')).toEqual([])
    rmSync(file)
  })
})

describe('a schedule of an address', () => {
  const server = createServer(companyTls, (_request, response) => response.end('Valor\n7\n'))
  let port = 0
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())
  let undoTrust = () => {}
  beforeEach(() => {
    undoTrust = trustAuthority()
  })
  afterEach(() => undoTrust())

  test('a schedule of an address downloads from it, and stores it sealed', async () => {
    const endereco = `https://localhost:${port}/vendas?chave=segredo`
    const { saved } = await begin({ origem: 'URL', endereco })
    expect(saved.agenda.endereco).toBe(`https://localhost:${port}/vendas?***`)
    // The shown address keeps the stored one; with another path it is refused.
    const again = { ...fromFolder, origem: 'URL', endereco: saved.agenda.endereco }
    expect((await signedIn.admin.put(address, again)).status).toBe(200)
    const other = await signedIn.admin.put(address, { ...again, endereco: 'https://localhost/outro?***' })
    expect(Object.keys(other.body.campos)).toEqual(['endereco'])
    const [row] = await suite.app.db.selectFrom('agendaDados').select('endereco').execute()
    expect(row?.endereco).not.toContain('segredo')
    await look()
    expect(sent('/drafts').map(({ body }) => body)).toEqual(['Valor\n7\n'])
    const [line] = await suite.app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'publication.schedule-changed')
      .execute()
    expect(line?.detalhes).toEqual({
      reportId,
      tabela: 'Custos',
      origem: 'URL',
      local: `localhost:${port}`,
      frequencia: 'HORA',
      horario: '06:30',
      ativa: true,
    })
  })

  test('a schedule of an address of a private network is not called unless the operator names the host', async () => {
    await begin({ origem: 'URL', endereco: 'https://exemplo.com.br/a.csv' })
    // As a name that leads to a private network: only the run finds out.
    const endereco = suite.app.services.secrets.encrypt(`https://127.0.0.1:${port}/a.csv`)
    await suite.app.db.updateTable('agendaDados').set({ endereco }).execute()
    await look()
    expect((await last()).frase).toMatch(/rede interna.*DATA_PRIVATE_HOSTS/)
    expect(sent('/drafts')).toEqual([])
  })
})

describe('saving a schedule', () => {
  test.each([
    ['endereco', { endereco: '../fora.csv' }],
    ['endereco', { endereco: '/etc/passwd' }],
    ['endereco', { endereco: 'vendas/../../fora.csv' }],
    ['endereco', { endereco: 'vendas\\abril.csv' }],
    ['endereco', { endereco: 'vendas//abril.csv' }],
    ['endereco', { endereco: '.segredo/a.csv' }],
    ['endereco', { endereco: 'a\u0000.csv' }],
    ['endereco', { origem: 'URL', endereco: 'http://exemplo.com.br/a.csv' }],
    ['endereco', { origem: 'URL', endereco: 'https://ana:senha@exemplo.com.br/a.csv' }],
    ['endereco', { origem: 'URL', endereco: 'file:///etc/passwd' }],
    ['tabela', { tabela: '' }],
  ])('the call refuses %s with %j', async (field, fields) => {
    const { status, body } = await signedIn.admin.put(address, { ...fromFolder, ...fields })
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
  })

  test.each([
    '127.0.0.1',
    '127.1',
    '10.1.2.3:8443',
    '192.168.0.5',
    '[::1]',
    '[::ffff:10.0.0.1]',
    'files.localhost',
    'LOCALHOST.',
  ])('the call refuses the private host %s at its field', async (host) => {
    const endereco = `https://${host}/a.csv`
    const { status, body } = await signedIn.admin.put(address, { ...fromFolder, origem: 'URL', endereco })
    expect([status, Object.keys(body.campos)]).toEqual([422, ['endereco']])
    expect(body.campos.endereco).toMatch(/rede interna.*DATA_PRIVATE_HOSTS/)
  })

  test('the portal runs the schedule at once when asked to, and removes it', async () => {
    await begin()
    const run = await signedIn.admin.post(`${address}/execucao`)
    expect(run.body.agenda.ultima).toMatchObject({ resultado: 'SUBSTITUIDO' })
    expect((await signedIn.admin.del(address)).status).toBe(204)
    expect((await signedIn.admin.get(address)).body).toEqual({ temPasta: true, agenda: null })
    expect((await signedIn.admin.del(address)).status).toBe(404)
    expect((await signedIn.admin.post(`${address}/execucao`)).status).toBe(404)
  })
})

test('a schedule is refused for a report or a table that does not exist', async () => {
  await createConnection(suite.app, { provedor: 'local' })
  const unknown = await signedIn.admin.put(address, { ...fromFolder, tabela: 'Ausente' })
  expect([unknown.status, unknown.body.campos]).toEqual([422, { tabela: 'O relatório não tem esta tabela.' }])
  suite.provider.answer('tables', () => ({
    status: 404,
    body: { error: { code: 'PowerBIEntityNotFound', message: 'x' } },
  }))
  expect(await signedIn.admin.put(address, fromFolder)).toMatchObject({
    status: 404,
    body: { codigo: 'nao_encontrado' },
  })
  expect((await signedIn.admin.get(address)).body.agenda).toBeNull()
})
