import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** The person's recent activity, for their home page and account page. */
export const Activity = z
  .object({
    /** ISO instant of the sign-in before the current session's; null at the first one. */
    ultimoAcesso: z.iso.datetime().nullable(),
    /** Reports the person may still view, most recently opened first; at most 8. */
    relatoriosRecentes: z.array(
      z.object({
        idRelatorio: z.number().int(),
        nomeRelatorio: z.string(),
        nomeGrupo: z.string(),
        groupId: z.string(),
        reportId: z.string(),
        data: z.iso.datetime(),
      }),
    ),
    /** Events on the person's account, newest first; at most 20. */
    eventos: z.array(z.object({ tipo: z.string(), descricao: z.string(), data: z.iso.datetime() })),
  })
  .meta({ id: 'Activity' })
export type Activity = z.infer<typeof Activity>

export const activityApi = {
  own: endpoint({
    method: 'GET',
    url: '/login/usuario-atividade',
    permission: 'account:own',
    tag: 'Contas',
    summary: 'Último acesso, relatórios recentes e o que aconteceu com a própria conta',
    response: { 200: Activity },
  }),
}
