import type { MailText, SubscriptionMessage } from './mails.ts'

/** Returns the text of a report's e-mail. */
export const subscriptionText = (mail: SubscriptionMessage): MailText => {
  const { assunto, nota, relatorio, pagina, filtros, dadosDe, feitaPor, arquivo, ehTeste } = mail
  const facts: [string, string | null][] = [
    ['Relatório', relatorio],
    ['Página', pagina],
    ['Filtros', filtros],
    ['Dados de', dadosDe],
    ['Assinatura de', feitaPor],
  ]
  return {
    assunto,
    titulo: assunto,
    paragrafos: [
      ...(nota ? nota.split(/\n+/) : []),
      ...(ehTeste ? ['Este é um envio de teste, só para você.'] : []),
      arrivalOf(arquivo?.formato, mail),
    ],
    detalhes: facts.flatMap(([rotulo, valor]) => (valor ? [{ rotulo, valor }] : [])),
    ...(arquivo?.formato === 'PNG' ? { figura: `${relatorio}${pagina ? `, ${pagina}` : ''}` } : {}),
    botao: { texto: 'Abrir o relatório', link: mail.link },
    aviso: feitaPor
      ? `Você recebe este e-mail porque ${feitaPor} assinou este relatório para você. Não repasse o link nem o arquivo a quem não tem acesso.`
      : 'Você recebe este e-mail porque assinou este relatório. Não repasse o link nem o arquivo a quem não tem acesso.',
    saida: { texto: 'Cancelar esta assinatura', link: mail.saida.page },
  }
}

const arrivalOf = (
  formato: 'PDF' | 'PNG' | undefined,
  { semAnexo, comSenha }: SubscriptionMessage,
): string => {
  if (formato === 'PDF' && comSenha)
    return 'O relatório está no arquivo PDF anexado, que abre com a senha que você definiu na sua conta.'
  if (formato === 'PDF') return 'O relatório está no arquivo PDF anexado, como você o vê no portal.'
  if (formato === 'PNG') return 'Veja abaixo a página do relatório, como você a vê no portal.'
  return semAnexo
    ? 'O arquivo não vai neste e-mail: ele é grande demais, ou os dados só podem ser vistos no portal ou com a sua senha. Abra o relatório pelo botão.'
    : 'Abra o relatório no portal pelo botão: ele abre com os filtros desta assinatura.'
}
