import { expect, test } from 'vitest'
import { lossText } from './profile-counts.ts'

test.each([
  [0, 4, 'Este perfil não tem membros: ninguém perde acesso.'],
  [1, 0, '1 membro sai deste perfil, que não libera nenhum relatório.'],
  [1, 1, '1 membro deixa de ver o relatório que só ele liberava (1 relatório no perfil).'],
  [1_200, 3, '1.200 membros deixam de ver os relatórios que só ele liberava (3 relatórios no perfil).'],
])('lossText says what %i members and %i reports lose', (quantidadeMembros, quantidadeRelatorios, text) => {
  expect(lossText({ quantidadeMembros, quantidadeRelatorios })).toBe(text)
})
