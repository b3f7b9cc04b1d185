import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '@bi-manager/server/platform/db/open-database'

const DAY = 86_400_000
const DAYS = 12

/** Returns a copy of a stopped demo with past views of this report; a fresh demo has none. */
export const copyWithPastViews = async (demoData: string, nomeRelatorio: string): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-past-'))
  await promisify(execFile)('cp', ['-r', `${demoData}/.`, dataDir])
  const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
  const { idRelatorio } = await db
    .selectFrom('relatorio')
    .select('idRelatorio')
    .where('nomeRelatorio', '=', nomeRelatorio)
    .executeTakeFirstOrThrow()
  const { idUsuario } = await db
    .selectFrom('usuario')
    .select('idUsuario')
    .orderBy('idUsuario')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.insertInto('visualizacao').values(viewsOf(idRelatorio, idUsuario)).execute()
  await db.destroy()
  return dataDir
}

/** Three views a day, none on every fifth day. */
const viewsOf = (idRelatorio: number, idUsuario: number) =>
  Array.from({ length: DAYS }, (_, at) => DAYS - at)
    .filter((daysAgo) => daysAgo % 5 !== 0)
    .flatMap((daysAgo) =>
      [0, 1, 2].map((view) => {
        const carregadoMs = 300 + daysAgo * 40 + view * 110
        const quando = new Date(Date.now() - daysAgo * DAY)
        return { idRelatorio, idUsuario, quando, carregadoMs, renderizadoMs: 2 * carregadoMs + view * 300 }
      }),
    )
