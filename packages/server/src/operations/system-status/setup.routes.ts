import { type SetupStepName, setupApi, setupSteps } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { lastBackup } from '../backup/runs/backup-runs.ts'
import { findNewestBackup } from './backup-item.ts'
import { readSetup } from './setup.repository.ts'

export const setupRoutes = async (app: FastifyInstance, { config, db }: Services) => {
  serve(app, setupApi.get, async (_, { user }) => {
    if (config.demoSeed !== undefined) return []
    const [{ segundoFator, servicoLocal, ...found }, newest] = await Promise.all([
      readSetup(db, user.idUsuario),
      lastBackup(db).then((runs) => findNewestBackup({ db }, runs)),
    ])
    // The outbox folder accepts each e-mail, and sends none.
    const email = found.email && Boolean(config.mail.smtpUrl)
    const done = { ...found, segundo_fator: segundoFator, email, copia: newest !== undefined }
    return setupSteps.map((passo) => ({
      passo,
      feito: done[passo],
      porPublicacao: servicoLocal && isPublished(passo),
    }))
  })
}

/** A publication registers its report and its workspace. */
const isPublished = (passo: SetupStepName) => passo === 'workspace' || passo === 'relatorio'
