import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'
import { namedReport } from './reports.ts'

/** The person's recent activity, for their home page and account page. */
export const Activity = namedObject('Activity', {
  /** ISO instant of the sign-in before the current session's; null at the first one. */
  ultimoAcesso: z.iso.datetime().nullable(),
  /** Reports the person may still view, most recently opened first; at most 8. */
  relatoriosRecentes: z.array(z.object({ ...namedReport, data: z.iso.datetime() })),
  /** Events on the person's account, newest first; at most 20. */
  eventos: z.array(z.object({ tipo: z.string(), descricao: z.string(), data: z.iso.datetime() })),
})
export type Activity = z.infer<typeof Activity>

const { get } = callsOf({ tag: 'Contas', permission: 'account:own' })

export const activityApi = {
  own: get(
    '/login/usuario-atividade',
    'Último acesso, relatórios recentes e o que aconteceu com a própria conta',
    { response: { 200: Activity } },
  ),
}
