import type { AlertMessage, MailText } from './mails.ts'

/** Returns the text of an alert's e-mail. */
export const alertText = (mail: AlertMessage): MailText => {
  const { nomeAlerta, relatorio, onde, linha, filtros, condicao, avaliadoEm, valores, link } = mail
  const facts: [string, string | null][] = [
    ['Valor', valores?.valor ?? null],
    ['Valor anterior', valores?.anterior ?? null],
    ['Condição', condicao],
    ['Relatório', relatorio],
    ['Onde', onde],
    ['Linha', linha],
    ['Filtros', filtros],
    ['Avaliado em', avaliadoEm],
  ]
  return {
    assunto: `Alerta: ${nomeAlerta}`,
    titulo: nomeAlerta,
    paragrafos: [
      valores
        ? 'O valor que você vigia atingiu a condição do alerta.'
        : 'O valor que você vigia atingiu a condição do alerta. Ele só é mostrado no portal: abra o relatório pelo botão.',
    ],
    detalhes: facts.flatMap(([rotulo, valor]) => (valor ? [{ rotulo, valor }] : [])),
    ...(valores && valores.serie.length > 1 ? { serie: valores.serie } : {}),
    botao: { texto: 'Abrir o relatório', link },
    aviso:
      'Você recebe este e-mail porque criou este alerta. Pause ou exclua o alerta em “Alertas”, no portal. Não repasse os valores a quem não tem acesso.',
  }
}
