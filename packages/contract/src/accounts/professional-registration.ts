import { emptyAsNull } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'

/** Councils of the health professions, as abbreviated in registrations. */
export const councils = [
  'CRM',
  'COREN',
  'CRO',
  'CRF',
  'CRP',
  'CREFITO',
  'CRN',
  'CRFA',
  'CRBM',
  'CREF',
  'CRESS',
  'CRTR',
] as const

export const states = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const

const oneOf = (options: readonly string[], message: string) =>
  z
    .string(message)
    .trim()
    .toUpperCase()
    .refine((text) => options.includes(text), message)

/** Entered by an ADMIN: all three fields, or none. */
export const registrationDraft = {
  conselhoProfissional: emptyAsNull(oneOf(councils, 'Escolha um conselho da lista.')).optional(),
  numeroRegistro: emptyAsNull(
    z
      .string('Informe o número do registro.')
      .trim()
      .toUpperCase()
      .regex(/^[\dA-Z./-]{1,20}$/, 'Use números, letras, ponto, barra e hífen, no máximo 20.')
      .refine((text) => /\d/.test(text), 'Informe o número do registro.'),
  ).optional(),
  ufRegistro: emptyAsNull(oneOf(states, 'Escolha a UF.')).optional(),
}

type Draft = { [Field in keyof typeof registrationDraft]?: string | null | undefined }
const fields = Object.keys(registrationDraft) as (keyof Draft)[]

const PARTS = 'Informe conselho, número e UF, ou deixe os três vazios.'

/** A zod check for a new account: a registration must have all of its parts. */
export const checkWholeRegistration = ({ value, issues }: z.core.ParsePayload<Draft>): void => {
  const missing = fields.filter((field) => !value[field])
  if (missing.length === fields.length) return
  for (const field of missing)
    issues.push({ code: 'custom', message: PARTS, path: [field], input: value[field] })
}

/** A zod check for an update: clearing a single part would leave an incomplete registration. */
export const checkWholeRegistrationUpdate = (payload: z.core.ParsePayload<Draft>): void => {
  checkWholeRegistration(payload)
  const { value, issues } = payload
  const emptied = fields.filter((field) => value[field] === null)
  const isPart = emptied.length > 0 && fields.some((field) => value[field] === undefined)
  if (!isPart || fields.some((field) => value[field])) return
  for (const field of fields)
    issues.push({ code: 'custom', message: PARTS, path: [field], input: value[field] })
}

/** The registration of an account; null when the person has none. */
export const registrationFields = {
  conselhoProfissional: z.string().nullable(),
  numeroRegistro: z.string().nullable(),
  ufRegistro: z.string().nullable(),
}

/** The author or reader of medical data. */
export interface Author {
  nome: string
  idUsuario: number
  /** 'CRM 12345/PR', as it was at the time. */
  registro: string | null
}

/** Returns 'usuário 12 · CRM 12345/PR', which is unique although names are not. */
export const credentialsText = ({ idUsuario, registro }: Omit<Author, 'nome'>): string =>
  [`usuário ${idUsuario}`, ...(registro === null ? [] : [registro])].join(' · ')

/** Returns 'Dra. Ana Lima · usuário 12 · CRM 12345/PR'. */
export const authorText = ({ nome, ...credentials }: Author): string =>
  `${nome} · ${credentialsText(credentials)}`
