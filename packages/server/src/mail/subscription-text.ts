import type { SubscriptionFormat } from '@bi-manager/contract'
import type { MailText, SubscriptionMessage } from './mails.ts'

/** Returns the text of a report's e-mail. */
export const subscriptionText = (mail: SubscriptionMessage): MailText => {
  const { assunto, nota, relatorio, pagina, visuais, filtros, dadosDe, feitaPor, arquivo, ehTeste } = mail
  const facts: [string, string | null][] = [
    ['Relatório', relatorio],
    ['Página', pagina],
    ['Visuais', visuais],
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
  formato: SubscriptionFormat | undefined,
  { semAnexo, comSenha }: SubscriptionMessage,
): string => {
  if (formato === 'PDF' && comSenha)
    return 'O relatório está no arquivo PDF anexado, que abre com a senha que você definiu na sua conta.'
  if (formato === 'PDF') return 'O relatório está no arquivo PDF anexado, como você o vê no portal.'
  if (formato === 'XLSX') return 'Os dados estão na planilha XLSX anexada, como você os vê no portal.'
  if (formato === 'PNG') return 'Veja abaixo a página do relatório, como você a vê no portal.'
  if (semAnexo === 'SENHA')
    return 'O arquivo não vai neste e-mail: você definiu uma senha para os seus PDFs, e planilhas e imagens não podem ter senha. Abra o relatório pelo botão.'
  return semAnexo === 'OUTRO'
    ? 'O arquivo não vai neste e-mail: ele é grande demais, ou os dados só podem ser vistos no portal. Abra o relatório pelo botão.'
    : 'Abra o relatório no portal pelo botão: ele abre com os filtros desta assinatura.'
}
