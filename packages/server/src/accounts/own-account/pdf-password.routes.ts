import { pdfPasswordApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { hasChanged, hasRow } from '../../platform/db/queries/outcomes.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'

/** The password of a person's PDFs. It is stored encrypted, not hashed: each PDF is encrypted with it. */
export const pdfPasswordRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now } = services

  serve(app, pdfPasswordApi.get, async (_, { user: { idUsuario } }) => ({
    definida: await hasRow(db.selectFrom('senhaPdf').select('idUsuario').where('idUsuario', '=', idUsuario)),
  }))

  serve(app, pdfPasswordApi.set, async ({ body }, { user, write }) => {
    // Another person at an open session could lock the owner out, or set a known password.
    const { idUsuario } = user
    const values = { senha: secrets.encrypt(body.senha), definidaEm: now() }
    await write(async (tx, audit) => {
      await tx
        .insertInto('senhaPdf')
        .values({ idUsuario, ...values })
        .onConflict((conflict) => conflict.column('idUsuario').doUpdateSet(values))
        .execute()
      await audit('pdf-password.changed', `usuario:${idUsuario}`)
    })
    return { definida: true }
  })

  serve(app, pdfPasswordApi.remove, async (_, { user, write }) => {
    const { idUsuario } = user
    await write(async (tx, audit) => {
      if (!(await hasChanged(tx.deleteFrom('senhaPdf').where('idUsuario', '=', idUsuario)))) return
      await audit('pdf-password.removed', `usuario:${idUsuario}`)
    })
  })
}
