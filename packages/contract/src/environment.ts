import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Whether this installation is a restored test, which sends no e-mails and makes no backups. */
export const Environment = z
  .object({
    /** Null in production. */
    ensaio: z
      .object({
        /** When the backup was restored, and when it was made. */
        restauradaEm: z.iso.datetime(),
        copiaDe: z.iso.datetime(),
        /** E-mails held until the release. */
        emailsRetidos: z.number().int(),
      })
      .nullable(),
  })
  .meta({ id: 'Environment' })
export type Environment = z.infer<typeof Environment>

const permission = 'settings:manage'
const tag = 'Sistema'

export const environmentApi = {
  get: endpoint({
    method: 'GET',
    url: '/sistema/ambiente',
    permission,
    tag,
    summary: 'Diz se este é um ambiente restaurado de uma cópia, que retém e-mails',
    response: { 200: Environment },
  }),
  release: endpoint({
    method: 'POST',
    url: '/sistema/ambiente/producao',
    permission,
    tag,
    summary:
      'Confirma que este é o ambiente de produção: os e-mails retidos saem, e as cópias agendadas voltam',
    response: { 200: Environment },
  }),
}
