import type { MedicalRecord, MedicalRecordVersion } from '@bi-manager/contract'
import { vi } from 'vitest'

export const aRecord = (changes: Partial<MedicalRecord> = {}): MedicalRecord => ({
  id: 12,
  nome_beneficiario: 'Joana Prado',
  id_beneficiario: 'CNU-0001',
  especialidade: 'Cardiologia',
  risco_custo: 'Alto custo de exames',
  risco_doenca: 'Risco de erro médico',
  descricao_hd: 'Dor torácica',
  prescricao_beneficiario: 'AAS 100 mg',
  data_prontuario: '10/03/2026',
  registrado_em: '2026-03-10T17:05:00.000Z',
  beneficiario: 3,
  registrado_por: 'Ana Martins',
  idAutor: 7,
  registroAutor: 'CRM 12345/PR',
  alterado_por: null,
  idAlteradoPor: null,
  registroAlteradoPor: null,
  alterado_em: null,
  versao: 1,
  ...changes,
})

export interface SentCall {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/**
 * Fakes the server: answers each call by method and path, otherwise with 500, and keeps the
 * calls. `answers` may be changed during a test.
 */
export const answerWith = (answers: Record<string, () => Response>) => {
  const sent: SentCall[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers, body }: RequestInit) => {
    sent.push({
      method,
      url,
      headers: headers as Record<string, string>,
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
    })
    return answers[`${method} ${url.split('?')[0]}`]?.() ?? problem(500, 'Algo deu errado.')
  })
  return { sent, answers, of: (method: string) => sent.filter((one) => one.method === method) }
}

export const listOf = (records: unknown[], total = records.length): Response =>
  Response.json(records, { headers: { 'x-total-count': String(total) } })

export const problem = (status: number, detail: string, campos?: Record<string, string>): Response =>
  Response.json(
    { type: 'about:blank', title: 'x', status, detail, codigo: 'x', idRequisicao: '1', campos },
    { status },
  )

export const versionsOf = (...records: MedicalRecord[]): MedicalRecordVersion[] =>
  records.map((record) => ({
    ...record,
    autor: record.alterado_por ?? record.registrado_por,
    idAutor: record.idAlteradoPor ?? record.idAutor,
    registroAutor: record.alterado_por ? record.registroAlteradoPor : record.registroAutor,
    em: record.alterado_em ?? '2026-03-10T12:00:00.000Z',
  }))
