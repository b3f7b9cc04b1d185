import { auditActions, auditApi, auditedNameText } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { answerCsv, lineOf } from '../../platform/http/lists/csv.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { createSharedWork } from '../../platform/lib/shared-work.ts'
import { exportAudit, listAudit, type NamedRow, type ShareBatch } from './audit.repository.ts'

export const auditRoutes = async (app: FastifyInstance, services: Services) => {
  const { db } = services

  serveList(app, auditApi.list, (query) => listAudit(db, query))

  // At most about 40 MB.
  const share: ShareBatch = createSharedWork({ limit: 64, keepMs: 10_000 })

  serve(app, auditApi.exportCsv, async ({ query }, context) =>
    answerCsv(db, context, {
      action: 'audit.exported',
      name: 'auditoria',
      query,
      list: await exportAudit(db, query, { share, textOf: (row) => lineOf(inWords(row), columns) }),
      columns,
    }),
  )
}

const columns = {
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
}

const actionNames: Record<string, string> = auditActions

const inWords = (row: NamedRow) => ({
  ...row,
  oque: actionNames[row.acao] ?? row.acao,
  nomeObjeto: row.objeto && auditedNameText(row.objeto, row.nome),
  detalhes: JSON.stringify(row.detalhes),
})
