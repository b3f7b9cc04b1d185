import type { SecuritySettings } from '@bi-manager/contract'
import { Alert, Textarea } from '@mantine/core'
import { IconNetwork } from '@tabler/icons-react'
import { Button } from '../../ui/button.tsx'
import shared from '../../ui/shared.module.css'
import classes from './security-settings.module.css'
import { type SettingsDraft, withNetwork } from './settings-draft.ts'

interface NetworksFieldsProps {
  settings: SecuritySettings
  value: SettingsDraft
  onChange: (change: Partial<SettingsDraft>) => void
  /** Field of the contract → error message. */
  faults: Record<string, string>
}

/** The networks from which people of each role may use the portal. */
export const NetworksFields = ({ settings, value, onChange, faults }: NetworksFieldsProps) => {
  const { enderecoAtual, redesValem } = settings
  const isListed = value.redesAdmin.split(/[\s,;]+/).includes(enderecoAtual)
  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>Redes</legend>
      <p className={shared.smallNote}>
        De onde administradores e demais usuários podem entrar e usar o portal: um endereço ou uma rede por
        linha, como 203.0.113.0/24 ou 2001:db8::/32. Vazio: de qualquer lugar. Vale na hora, também para
        sessões abertas.
      </p>
      {!redesValem && (
        <Alert color="yellow" icon={<IconNetwork aria-hidden />} className={classes.warning}>
          As redes estão desligadas no servidor (SIGN_IN_NETWORKS): todos entram de qualquer lugar até que
          alguém as ligue de novo.
        </Alert>
      )}
      <Textarea
        label="Redes de administradores"
        description={`Seu endereço agora: ${enderecoAtual}`}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={value.redesAdmin}
        error={faultOf(faults, 'redesAdmin')}
        onChange={({ currentTarget }) => onChange({ redesAdmin: currentTarget.value })}
      />
      {!isListed && (
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.ownAddress}
            onClick={() => onChange({ redesAdmin: withNetwork(value.redesAdmin, enderecoAtual) })}
          >
            Incluir o meu endereço
          </Button>
        </div>
      )}
      <Textarea
        label="Redes dos demais usuários"
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        value={value.redesUsuario}
        error={faultOf(faults, 'redesUsuario')}
        onChange={({ currentTarget }) => onChange({ redesUsuario: currentTarget.value })}
      />
    </fieldset>
  )
}

/** Returns the first fault of a list or of one of its entries: `redesAdmin.2`. */
const faultOf = (faults: Record<string, string>, field: string): string | undefined =>
  Object.entries(faults).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1]
