import { auditActions, auditApi, auditedNameText } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { answerCsv } from '../../http/csv.ts'
import { answerList } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { exportAudit, listAudit } from './audit.repository.ts'

export const auditRoutes = async (app: FastifyInstance, services: Services) => {
  const { db } = services

  serve(app, auditApi.list, async ({ query }, context) =>
    answerList(await listAudit(db, query), query, context),
  )

  serve(app, auditApi.exportCsv, async ({ query }, context) => {
    const { count, rows } = await exportAudit(db, query)
    return answerCsv(services, context, {
      action: 'audit.exported',
      name: 'auditoria',
      query,
      list: { count, rows: inWords(rows) },
      columns: {
        idAuditoria: 'Nº',
        quando: 'Quando',
        nomeUsuario: 'Quem',
        idUsuario: 'Nº do usuário',
        oque: 'O quê',
        acao: 'Ação',
        objeto: 'Objeto',
        nomeObjeto: 'Nome do objeto',
        endereco: 'Endereço',
        idRequisicao: 'Requisição',
        detalhes: 'Detalhes',
      },
    })
  })
}

type Rows = Awaited<ReturnType<typeof exportAudit>>['rows']

const actionNames: Record<string, string> = auditActions

async function* inWords(rows: Rows) {
  for await (const row of rows) {
    yield {
      ...row,
      oque: actionNames[row.acao] ?? row.acao,
      nomeObjeto: row.objeto && auditedNameText(row.objeto, row.nome),
      detalhes: JSON.stringify(row.detalhes),
    }
  }
}
