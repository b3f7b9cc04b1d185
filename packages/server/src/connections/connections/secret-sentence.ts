import type { ConnectionTest } from '@bi-manager/contract'
import { dayOf, dayText } from '../../platform/lib/local-time.ts'
import type { SecretExpiry } from './secret-expiry.ts'

/** Returns what the connection test shows of a reading in Microsoft Graph. */
export const secretResult = (expiry: SecretExpiry): NonNullable<ConnectionTest['segredo']> => ({
  leitura: expiry.reading,
  expiraEm: expiry.expiresAt && dayOf(expiry.expiresAt),
  detalhe: sentenceOf(expiry),
})

const sentenceOf = (expiry: SecretExpiry): string => {
  switch (expiry.reading) {
    case 'lida':
      return `O segredo vence em ${dayText(expiry.expiresAt)}, lido do Microsoft Entra.`
    case 'sem_permissao':
      return 'O aplicativo não tem permissão para ler esta data no Microsoft Graph. Informe-a no cadastro, ou dê a ele a permissão de aplicativo Application.Read.All, com o consentimento do administrador.'
    case 'nao_encontrada':
      return 'O Microsoft Graph não mostra este segredo entre os do aplicativo no tenant. Informe a data no cadastro.'
    case 'falhou':
      if (expiry.fault) return `A data não foi lida do Microsoft Graph. ${expiry.fault}`
      return 'O Microsoft Graph não respondeu. O portal tenta de novo em uma hora; se continuar, informe a data no cadastro.'
  }
}
