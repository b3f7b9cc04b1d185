import type { SubscriptionRun } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { contentText, durationText, filtersText, mailCounts, nextText } from './subscription-texts.ts'

test.each([
  [{ nomeVisao: 'Diretoria', pagina: 'p', tituloPagina: 'Geral', visuais: [] }, 'Visão “Diretoria”'],
  [{ nomeVisao: null, pagina: 'p', tituloPagina: 'Geral', visuais: [] }, 'Página “Geral”'],
  [
    { nomeVisao: null, pagina: 'p', tituloPagina: 'Geral', visuais: [{ nome: 'a', titulo: 'Custos' }] },
    'Página “Geral”, visual “Custos”',
  ],
  [
    {
      nomeVisao: null,
      pagina: 'p',
      tituloPagina: 'Geral',
      visuais: [
        { nome: 'a', titulo: 'Custos' },
        { nome: 'b', titulo: 'Vidas' },
      ],
    },
    'Página “Geral”, 2 visuais',
  ],
  [{ nomeVisao: null, pagina: 'p', tituloPagina: null, visuais: [] }, 'Uma página'],
  [{ nomeVisao: null, pagina: null, tituloPagina: null, visuais: [] }, 'Relatório inteiro'],
])('the text says what is sent: %#', (content, text) => {
  expect(contentText(content)).toBe(text)
})

test('filtersText names filters by their label, and declared ones by their column', () => {
  expect(filtersText({ titularidade: 'consulta', sexo: '', 'Vendas/Região': 'Sul' })).toBe(
    'Titularidade: Dependente · Região: Sul',
  )
})

const run: SubscriptionRun = {
  idExecucao: 1,
  causa: 'AGENDA',
  estado: 'PARCIAL',
  previstaEm: '2026-11-30T10:30:00.000Z',
  iniciadaEm: '2026-11-30T10:30:00.000Z',
  terminadaEm: '2026-11-30T10:32:05.000Z',
  frase: null,
  dadosDe: null,
  repeticoes: 0,
  destinatarios: 41,
  enviadas: 38,
  puladas: 2,
  falhas: 1,
}

test('the text counts the e-mails of a run', () => {
  expect(mailCounts(run)).toBe('38 enviados, 2 não enviados, 1 falhou')
  expect(mailCounts({ ...run, enviadas: 0, puladas: 0, falhas: 0 })).toBe('41 por enviar')
  expect(mailCounts({ ...run, destinatarios: 0, enviadas: 0, puladas: 0, falhas: 0 })).toBe('Nenhum e-mail')
})

test('the text says how long a run took', () => {
  expect(durationText(run)).toBe('2 min 5 s')
  expect(durationText({ ...run, terminadaEm: null })).toBeUndefined()
})

test('the text says when the next e-mail is sent, unless it is paused', () => {
  const one = {
    ativa: true,
    impedimento: null,
    proximaEm: '2026-11-30T10:30:00.000Z',
    frequencia: 'DIARIA' as const,
  }
  expect(nextText(one)).toBe('30/11/2026 07:30')
  expect(nextText({ ...one, proximaEm: null, frequencia: 'ATUALIZACAO' })).toBe(
    'Depois da próxima atualização',
  )
  expect(nextText({ ...one, ativa: false })).toBeUndefined()
  expect(nextText({ ...one, impedimento: 'Ninguém mais recebe esta assinatura.' })).toBeUndefined()
})
