import type { SecuritySettings, SecuritySettingsUpdate } from '@bi-manager/contract'
import { networksOf } from '../../lib/text/networks-of.ts'

/** What the form holds: networks as typed, one a line. */
export interface SettingsDraft extends Pick<SecuritySettings, 'segundoFator' | 'buscaSemAcesso'> {
  redesAdmin: string
  redesUsuario: string
}

const networkFields = ['redesAdmin', 'redesUsuario'] as const

export const draftOf = ({ segundoFator, buscaSemAcesso, ...settings }: SecuritySettings): SettingsDraft => ({
  segundoFator,
  buscaSemAcesso,
  redesAdmin: settings.redesAdmin.join('\n'),
  redesUsuario: settings.redesUsuario.join('\n'),
})

/** Returns only what differs from the settings, so that others' changes of the rest stay. */
export const changesOf = (draft: SettingsDraft, settings: SecuritySettings): SecuritySettingsUpdate => ({
  ...(draft.segundoFator === settings.segundoFator ? {} : { segundoFator: draft.segundoFator }),
  ...(draft.buscaSemAcesso === settings.buscaSemAcesso ? {} : { buscaSemAcesso: draft.buscaSemAcesso }),
  ...Object.fromEntries(
    networkFields.flatMap((field) => {
      const networks = networksOf(draft[field])
      return networks.join() === settings[field].join() ? [] : [[field, networks]]
    }),
  ),
})

/** Returns the text with one more network, on a line of its own. */
export const withNetwork = (text: string, network: string): string =>
  networksOf(text).includes(network) ? text : [text.trimEnd(), network].filter(Boolean).join('\n')
