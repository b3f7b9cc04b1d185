import type { MedicalRecordVersion } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { changesOf } from './version-changes.ts'

const first: MedicalRecordVersion = {
  versao: 1,
  autor: 'Ana Martins',
  idAutor: 7,
  registroAutor: null,
  em: '2026-03-10T12:00:00.000Z',
  especialidade: 'Cardiologia',
  risco_custo: 'Alto custo de exames',
  risco_doenca: 'Risco de erro médico',
  descricao_hd: 'Dor torácica',
  prescricao_beneficiario: 'AAS 100 mg',
}

test('the comparison compares each version with its predecessor, and the first with none', () => {
  const second = { ...first, versao: 2, descricao_hd: 'Angina estável' }
  const third = { ...second, versao: 3, especialidade: 'Neurologia', prescricao_beneficiario: 'Repouso' }
  expect(changesOf([third, second, first]).map(({ version, changes }) => [version.versao, changes])).toEqual([
    [
      3,
      [
        { field: 'especialidade', before: 'Cardiologia', after: 'Neurologia' },
        { field: 'prescricao_beneficiario', before: 'AAS 100 mg', after: 'Repouso' },
      ],
    ],
    [2, [{ field: 'descricao_hd', before: 'Dor torácica', after: 'Angina estável' }]],
    [1, undefined],
  ])
})

test('the comparison returns no changes for a version equal to its predecessor', () => {
  expect(changesOf([{ ...first, versao: 2 }, first])[0]?.changes).toEqual([])
})
