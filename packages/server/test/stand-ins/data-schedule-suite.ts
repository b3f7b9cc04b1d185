import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataScheduleDraft } from '@bi-manager/contract'
import { afterAll, beforeEach, expect } from 'vitest'
import { runDueSchedules } from '../../src/publishing/data-schedules.job.ts'
import { letTimePass } from '../let-time-pass.ts'
import { createConnection } from '../reports.ts'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'
import { embeddingSuite } from './embedding.ts'
import { reportId } from './provider-stand-in.ts'

export const silent = { error: (problem: unknown) => expect.fail(String(problem)) }
export const address = `/publicacoes/relatorios/${reportId}/agenda`
export const minute = 60_000
export const hour = 60 * minute

export const fromFolder: DataScheduleDraft = {
  origem: 'PASTA',
  endereco: 'vendas/abril.csv',
  tabela: 'Custos',
  frequencia: 'HORA',
  horario: '06:30',
  ativa: true,
}

/** Starts the portal with an ADMIN, and a folder with the file of `fromFolder`. */
export const dataScheduleSuite = () => {
  const home = mkdtempSync(join(tmpdir(), 'agenda-'))
  const folder = join(home, 'dados')
  mkdirSync(join(folder, 'vendas'), { recursive: true })
  afterAll(() => rmSync(home, { recursive: true }))
  const file = join(folder, 'vendas/abril.csv')

  const { suite } = embeddingSuite({ DATA_FILES_DIR: folder, DATA_PRIVATE_HOSTS: 'localhost' })
  const pass = (ms: number) => letTimePass(suite.app, ms)
  const signedIn = {} as { admin: Awaited<ReturnType<TestApp['as']>>; password: string }
  beforeEach(async () => {
    const user = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
    signedIn.admin = await suite.app.as(user)
    signedIn.password = user.password
    writeFileSync(file, 'Valor\n1\n')
  })

  const begin = async (fields: object = {}) => {
    const { idPowerBi } = await createConnection(suite.app, { provedor: 'local' })
    const saved = await signedIn.admin.put(address, { ...fromFolder, ...fields })
    expect(saved.status).toBe(200)
    return { idPowerBi, saved: saved.body }
  }
  /** One look of a node, an hour later unless `ms` says otherwise. */
  const look = async (ms = hour) => {
    await pass(ms)
    await runDueSchedules(suite.app.services, silent)
  }
  const last = async () => (await signedIn.admin.get(address)).body.agenda.ultima
  const sent = (end: string) => suite.provider.seen.filter(({ path }) => path.split('?')[0]?.endsWith(end))
  const notified = () =>
    suite.app.db
      .selectFrom('notificacao')
      .select(['texto', 'rota', 'lidaEm', 'assunto'])
      .where('assunto', 'like', 'agenda-dados:%')
      .orderBy('idNotificacao')
      .execute()
  return { suite, signedIn, home, file, begin, pass, look, last, sent, notified }
}
