import type { MedicalRecord, MedicalRecordVersion } from '@bi-manager/contract'

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

export const versionsOf = (...records: MedicalRecord[]): MedicalRecordVersion[] =>
  records.map((record) => ({
    ...record,
    autor: record.alterado_por ?? record.registrado_por,
    idAutor: record.idAlteradoPor ?? record.idAutor,
    registroAutor: record.alterado_por ? record.registroAlteradoPor : record.registroAutor,
    em: record.alterado_em ?? '2026-03-10T12:00:00.000Z',
  }))
