import { appearanceApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../platform/audit/record-change.ts'
import { encodeLogo } from '../../platform/files/images/encode-logo.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound } from '../../platform/lib/problem.ts'
import { findLogo, getAppearance, lockAppearance, updateAppearance } from './appearance.repository.ts'

const subject = 'configuracao:aparencia'

export const appearanceRoutes = async (app: FastifyInstance, { db }: Services) => {
  serve(app, appearanceApi.get, () => getAppearance(db))

  serve(app, appearanceApi.update, async ({ body: { imagem, ...texts } }, { request, write }) => {
    const change = { ...texts, ...(await logoColumns(imagem)) }
    return write(async (tx, audit) => {
      const ifMatch = ifMatchOf(request)
      const before = await lockAppearance(tx)
      const after = await updateAppearance(tx, change, ifMatch)
      if (!after) throw await explainMissedUpdate(tx, { exists: true, subject, ifMatch })
      await audit('appearance.updated', subject, changeOf({ ...before }, after))
      return after
    })
  })

  serve(app, appearanceApi.logo, async ({ params: { marca } }) => orNotFound(await findLogo(db, marca)))
}

/** @param image the upload in base64; undefined leaves the logo, null removes it */
const logoColumns = async (image: string | null | undefined) => {
  if (image === undefined) return {}
  if (image === null) return { logo: null, logoMarca: null }
  const { imagem: logo, marca: logoMarca } = await encodeLogo(image, 'brand')
  return { logo, logoMarca }
}
