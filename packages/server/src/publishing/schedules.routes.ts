import { type DataScheduleState, dataSchedulesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../platform/http/serve.ts'
import { assertProduction } from '../platform/installation/test-environment.ts'
import { NOT_PUBLIC } from '../platform/lib/download.ts'
import { orNotFound, Problem } from '../platform/lib/problem.ts'
import { isPlainlyPrivate } from '../platform/lib/public-call.ts'
import { takeBack } from '../platform/notifications/notify.ts'
import { getLocalConnection } from './local-connection.ts'
import { auditedPlace, leaseMsOf, runSchedule, scheduleSubject } from './run-schedule.ts'
import {
  claimOrderedRun,
  deleteSchedule,
  findSchedule,
  keptAddress,
  saveSchedule,
  shownSchedule,
} from './schedules.repository.ts'
import type { PublishingServices } from './services.ts'

/** Schedules that replace the data of published reports. */
export const dataSchedulesRoutes = async (app: FastifyInstance, services: PublishingServices) => {
  const { config, db, secrets, now } = services
  const temPasta = config.dataSources.filesDir !== undefined
  const stateOf = async (reportId: string): Promise<DataScheduleState> => ({
    temPasta,
    agenda: shownSchedule(await findSchedule(db, reportId), secrets),
  })

  serve(app, dataSchedulesApi.find, ({ params: { reportId } }) => stateOf(reportId))

  serve(app, dataSchedulesApi.save, async ({ params: { reportId }, body }, { write }) => {
    if (body.origem === 'PASTA' && !temPasta)
      throw new Problem('campos_invalidos', {
        campos: { origem: 'O operador não permite uma pasta de dados (DATA_FILES_DIR).' },
      })
    if (body.origem === 'URL' && isPlainlyPrivate(body.endereco, config.dataSources.privateHosts))
      throw new Problem('campos_invalidos', { campos: { endereco: NOT_PUBLIC } })
    const tables = await services.published.tables(await getLocalConnection(services), reportId)
    if (!tables.some(({ nome }) => nome === body.tabela))
      throw new Problem('campos_invalidos', { campos: { tabela: 'O relatório não tem esta tabela.' } })
    await write(async (tx, audit) => {
      const endereco = keptAddress(body.endereco, await findSchedule(tx, reportId), secrets)
      await saveSchedule(tx, reportId, { ...body, endereco }, { secrets, now: now() })
      await takeBack(tx, scheduleSubject(reportId))
      const { tabela, origem, frequencia, horario, ativa } = body
      const details = { reportId, tabela, origem, local: auditedPlace(body), frequencia, horario, ativa }
      await audit('publication.schedule-changed', undefined, details)
    })
    return stateOf(reportId)
  })

  serve(app, dataSchedulesApi.remove, async ({ params: { reportId } }, { write }) => {
    await write(async (tx, audit) => {
      if (!(await deleteSchedule(tx, reportId))) throw new Problem('nao_encontrado')
      await audit('publication.schedule-removed', undefined, { reportId })
    })
  })

  serve(app, dataSchedulesApi.run, async ({ params: { reportId } }, { request, write }) => {
    await assertProduction(db)
    const run = await write(async (tx, audit) => {
      const row = orNotFound(await findSchedule(tx, reportId))
      const claimed = await claimOrderedRun(tx, row, leaseMsOf(services))
      if (!claimed) throw new Problem('troca_em_andamento')
      await audit('publication.schedule-run', undefined, { reportId })
      return claimed
    })
    if (!(await runSchedule(services, run, request.log)))
      throw new Problem('troca_em_andamento', {
        detail: 'O agendamento foi mudado ou excluído enquanto o arquivo era lido: nada foi trocado.',
      })
    return stateOf(reportId)
  })
}
