import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** Whether this installation is a restored test, which sends no e-mails and makes no backups. */
export const Environment = namedObject('Environment', {
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
export type Environment = z.infer<typeof Environment>

const { get, post } = callsOf({ tag: 'Sistema', permission: 'settings:manage' })

export const environmentApi = {
  get: get('/sistema/ambiente', 'Diz se este é um ambiente restaurado de uma cópia, que retém e-mails', {
    response: { 200: Environment },
  }),
  release: post(
    '/sistema/ambiente/producao',
    'Confirma que este é o ambiente de produção: os e-mails retidos saem, e as cópias agendadas voltam',
    { reauthentication: 'always', response: { 200: Environment } },
  ),
}
