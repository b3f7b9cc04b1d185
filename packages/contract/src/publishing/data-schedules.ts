import { callsOf, namedObject } from '../calls/endpoint.ts'
import { TimeOfDay } from '../calls/recurrence.ts'
import { z } from '../calls/zod.ts'

/* When the data of a published report is replaced from a file of a folder or an address. */

/** Bytes of a file that a schedule reads: the report service's own limit. */
export const SCHEDULED_FILE_BYTES = 50 * 1024 * 1024

const noPath = 'Escreva o caminho a partir da pasta de dados, como vendas/abril.csv, sem .. nem \\.'
/** Names that begin with a point are hidden files, or lead upwards. */
const isPlainPath = (text: string): boolean =>
  text.split('/').every((name) => /^[^.\\:\p{Cc}][^\\:\p{Cc}]*$/u.test(name))
/** A file below the operator's folder. */
export const DataPath = z
  .string()
  .trim()
  .max(500, 'Use no máximo 500 caracteres.')
  .refine(isPlainPath, noPath)

const isPlainHttps = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && !username && !password
}
/** An address that the portal reads without credentials. */
export const DataAddress = z
  .string()
  .trim()
  .max(2_000, 'Use no máximo 2.000 caracteres.')
  .refine(isPlainHttps, 'Escreva um endereço https:// completo, sem usuário nem senha.')

const common = {
  /** The table whose rows are replaced. */
  tabela: z.string().min(1).max(63),
  frequencia: z.enum(['HORA', 'DIA']),
  /** The time of day in America/Sao_Paulo; an hourly schedule only uses its minutes. */
  horario: TimeOfDay,
  ativa: z.boolean(),
}
export const DataScheduleDraft = z
  .discriminatedUnion('origem', [
    z.object({ origem: z.literal('PASTA'), endereco: DataPath, ...common }),
    z.object({ origem: z.literal('URL'), endereco: DataAddress, ...common }),
  ])
  .meta({ id: 'DataScheduleDraft' })
export type DataScheduleDraft = z.infer<typeof DataScheduleDraft>

export const DataSchedule = namedObject('DataSchedule', {
  origem: z.enum(['PASTA', 'URL']),
  endereco: z.string(),
  ...common,
  /** Null while it is not active. */
  proximaEm: z.iso.datetime().nullable(),
  ultima: z
    .object({
      em: z.iso.datetime(),
      /** `INALTERADO`: the file was the one of the last replacement. */
      resultado: z.enum(['SUBSTITUIDO', 'INALTERADO', 'FALHOU']),
      /** What happened, as a sentence. */
      frase: z.string(),
    })
    .nullable(),
})
export type DataSchedule = z.infer<typeof DataSchedule>

export const DataScheduleState = namedObject('DataScheduleState', {
  /** Whether the operator allows a folder (DATA_FILES_DIR). */
  temPasta: z.boolean(),
  agenda: DataSchedule.nullable(),
})
export type DataScheduleState = z.infer<typeof DataScheduleState>

const params = z.object({ reportId: z.guid() })
const url = '/publicacoes/relatorios/:reportId/agenda'
const response = { 200: DataScheduleState }
const { get, put, post, remove } = callsOf({ tag: 'Publicação', permission: 'reports:manage' })

export const dataSchedulesApi = {
  find: get(url, 'Quando os dados de um relatório são substituídos sozinhos', { params, response }),
  save: put(url, 'Grava o agendamento dos dados de um relatório', {
    reauthentication: 'always',
    params,
    body: DataScheduleDraft,
    response,
  }),
  remove: remove(url, 'Retira o agendamento dos dados de um relatório', { params }),
  run: post(
    '/publicacoes/relatorios/:reportId/agenda/execucao',
    'Substitui os dados agora, a partir do arquivo do agendamento',
    { params, response },
  ),
}
