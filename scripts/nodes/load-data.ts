import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashPassword } from '../../packages/server/src/accounts/credentials/passwords.ts'
import { openDatabase } from '../../packages/server/src/platform/db/open-database.ts'
import { createConnection, createReport, createWorkspace } from '../../packages/server/test/reports.ts'
import { groupId } from '../../packages/server/test/stand-ins/provider-stand-in.ts'
import { createUser, password } from '../../packages/server/test/users.ts'
import { type Cluster, encrypt } from './cluster.ts'

/** Returns a name that is unique and not a look-alike of any other. */
export const nameOf = (n: number): string => {
  const syllables = ['ba', 'ce', 'do', 'fu', 'ga', 'me', 'na', 'po', 'ru', 'te']
  const word = (digits: number[]) => digits.map((digit) => syllables[digit]).join('')
  const digits = String(10_000 + n)
    .split('')
    .map(Number)
  const given = word(digits.slice(2))
  return `${given[0]?.toUpperCase()}${given.slice(1)} ${word(digits.slice(0, 2)).replace(/^./, (c) => c.toUpperCase())}tavo`
}

export type LoadPeople = Awaited<ReturnType<typeof addLoadData>>

/** Adds users and reports of a Microsoft connection to the demo's data (`hasDemo`). */
export const addLoadData = async (cluster: Cluster) => {
  const db = await openDatabase({
    dataDir: cluster.dataDir,
    databaseUrl: cluster.pair.url(),
    onError: console.error,
  })
  try {
    const senhaHash = await hashPassword(password)
    let n = 0
    const add = async (prefix: string, count: number, fields = {}): Promise<string[]> => {
      const emails = Array.from({ length: count }, (_, i) => `${prefix}${i}@exemplo.com.br`)
      for (const emailUsuario of emails) {
        n += 1
        const one = { nomeUsuario: nameOf(n), emailUsuario, senhaHash, identidadeRls: 'CNU' }
        await createUser({ db }, { ...one, ...fields })
      }
      return emails
    }
    const viewers = await add('leitor', 12)
    const clinicians = await add('clinico', 4, { acessoProntuario: true })
    /** They sign in and out repeatedly. */
    const visitors = await add('visita', 8)
    /** Their permissions change repeatedly, and their windows have a stream of live events. */
    const watchers = await add('janela', 6)
    const connection = await createConnection({ db, services: { secrets: { encrypt } as never } })
    const { idGrupoRelatorio } = await createWorkspace(
      { db },
      { idPowerBi: connection.idPowerBi, idGrupo: groupId, nomeGrupo: 'Microsoft' },
    )
    const microsoftReports: string[] = []
    for (let i = 0; i < 5; i += 1) {
      const reportId = randomUUID()
      const fields = { idGrupoRelatorio, nomeRelatorio: `Gestão ${i}`, reportId, papeisRls: ['Gestor'] }
      await createReport({ db }, fields)
      microsoftReports.push(reportId)
    }
    await sql`insert into relatorio_usuario (id_usuario, id_relatorio)
      select id_usuario, id_relatorio from usuario, relatorio
      where email_usuario like 'leitor%' on conflict do nothing`.execute(db)
    return { viewers, clinicians, visitors, watchers, microsoftReports }
  } finally {
    await db.destroy()
  }
}
