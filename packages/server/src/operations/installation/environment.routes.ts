import { type Environment, environmentApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { countRows } from '../../platform/db/queries/list-page.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import {
  markDataFolder,
  readInstallation,
  releaseEnvironment,
} from '../../platform/installation/test-environment.ts'

export const environmentRoutes = async (app: FastifyInstance, { config, db, writeAudit }: Services) => {
  serve(app, environmentApi.get, () => describeEnvironment(db))

  serve(app, environmentApi.release, async (_, { user, request, write }) => {
    await write((tx) => releaseEnvironment(tx, writeAudit, { idUsuario: user.idUsuario, request }))
    await markDataFolder(db, config)
    return describeEnvironment(db)
  })
}

const describeEnvironment = async (db: Db): Promise<Environment> => {
  const { ensaio } = await readInstallation(db)
  if (!ensaio) return { ensaio: null }
  const { restauradaEm, copiaDe } = ensaio
  return { ensaio: { restauradaEm, copiaDe, emailsRetidos: await countRows(db.selectFrom('mensagem')) } }
}
