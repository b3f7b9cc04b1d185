import { secondFactorApi } from '@bi-manager/contract'
import { Button, Group, Text } from '@mantine/core'
import { call } from '../../lib/api/api.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { focusOnMount } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { CodeForm } from './code-form.tsx'
import { QrCode } from './qr-code.tsx'
import classes from './second-factor.module.css'

/** The secret for an authenticator app, as a key and as an otpauth URI. */
export interface DeviceSecret {
  segredo: string
  uri: string
}

interface LinkDeviceProps extends DeviceSecret {
  title: string
  lead?: string
  /** The button's label: 'Ativar'. */
  action: string
  /** Called with the recovery codes after the activation. */
  onActive: (recoveryCodes: string[]) => void
  onCancel?: (() => void) | undefined
}

/** Links a device to the account and confirms it with its first code. */
export const LinkDevice = ({ segredo, uri, title, lead, action, onActive, onCancel }: LinkDeviceProps) => {
  const confirm = async (codigo: string) => {
    const { codigosRecuperacao } = await call(secondFactorApi.confirm, { body: { codigo } })
    onActive(codigosRecuperacao)
  }
  return (
    <section className={shared.card} aria-labelledby="aparelho-titulo">
      <div>
        <h2 id="aparelho-titulo" className={shared.title} ref={focusOnMount} tabIndex={-1}>
          {title}
        </h2>
        {lead && <p className={shared.underHeading}>{lead}</p>}
      </div>
      <ol className={classes.steps}>
        <li>
          <Text mb="0.75rem">
            Abra um aplicativo autenticador no celular, como Google Authenticator, Microsoft Authenticator ou
            Aegis, e escaneie este código:
          </Text>
          <QrCode
            text={uri}
            label="QR code para o aplicativo autenticador. Sem câmera, use a chave abaixo."
          />
          <Text mb="0.75rem">Sem câmera? Digite esta chave no aplicativo:</Text>
          <Group component="p" gap="0.625rem 1rem">
            <code className={classes.key}>{inGroups(segredo)}</code>
            <CopyButton text={segredo} label="Copiar chave" done="Chave copiada" />
            <Button component="a" href={uri} variant="default" size="xs" className={classes.appLink}>
              Abrir no aplicativo autenticador
            </Button>
          </Group>
        </li>
        <li>
          <Text mb="0.75rem">Digite o código de 6 dígitos que o aplicativo mostra:</Text>
          <CodeForm
            label="Código de 6 dígitos"
            input={{ inputMode: 'numeric', autoComplete: 'one-time-code' }}
            action={action}
            onSubmit={confirm}
            onCancel={onCancel}
          />
        </li>
      </ol>
    </section>
  )
}

/** Groups the key by four characters; authenticator apps accept the spaces. */
const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? secret
