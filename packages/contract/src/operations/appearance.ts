import { callsOf, namedObject } from '../calls/endpoint.ts'
import { emptyAsNull, isSeen, requiredLine, UNSEEN } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { LogoUpload } from '../reports/report-registrations.ts'
import { contrastChecks, nearestPassing, ratioText } from './brand-colors.ts'

/** The name of the product, for installations without a name. */
export const PRODUCT_NAME = 'BI Manager'

/** Maximum length of the company's name: it fits the top bar of a phone. */
export const COMPANY_NAME_LENGTH = 40

const CompanyName = requiredLine(COMPANY_NAME_LENGTH).refine(isSeen, UNSEEN)

/** A colour as `#rrggbb` with enough contrast. */
export const BrandColor = z
  .string('Informe a cor como #rrggbb.')
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, { error: 'Informe a cor como #rrggbb.', abort: true })
  .superRefine((color, context) => {
    const failed = contrastChecks(color).find(({ passes }) => !passes)
    if (!failed) return
    const message = `${failed.what} tem contraste de ${ratioText(failed.ratio)}; o mínimo é 4,5:1. A cor mais próxima que passa é ${nearestPassing(color)}.`
    context.addIssue({ code: 'custom', message })
  })

/** How the installation looks: null where it has not changed the product's own look. */
export const Appearance = namedObject('Appearance', {
  nome: z.string().nullable(),
  cor: z.string().nullable(),
  /** The logo's content hash, which is part of its address. */
  logo: z.string().nullable(),
  versao: z.number().int(),
})
export type Appearance = z.infer<typeof Appearance>

export const AppearanceUpdate = namedObject('AppearanceUpdate', {
  nome: emptyAsNull(CompanyName),
  cor: emptyAsNull(BrandColor),
  /** Absent: keeps the logo; null: removes it. */
  imagem: LogoUpload.shape.imagem.nullable().optional(),
})

const { get, put } = callsOf({ tag: 'Aparência', permission: 'settings:manage' })
const anyone = callsOf({ tag: 'Portal', permission: 'public' })

export const appearanceApi = {
  get: get('/configuracao/aparencia', 'Nome, logo e cor da empresa', { response: { 200: Appearance } }),
  update: put('/configuracao/aparencia', 'Muda nome, logo e cor da empresa', {
    body: AppearanceUpdate,
    response: { 200: Appearance },
  }),
  logo: anyone.get('/portal/logo/:marca', 'O logo da empresa, que pode ficar em caches', {
    params: z.object({ marca: z.string().regex(/^[0-9a-f]{16}$/) }),
    contentType: 'image/png',
    isImmutable: true,
  }),
}

/** Returns the address of the logo with this content hash. */
export const logoAddress = (marca: string): string => `/api/portal/logo/${marca}`
