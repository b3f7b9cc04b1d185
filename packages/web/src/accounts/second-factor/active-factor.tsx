import { type SecondFactorStatus, secondFactorApi } from '@bi-manager/contract'
import { Alert, Button, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import shared from '../../ui/shared.module.css'
import { AnotherDevice } from './another-device.tsx'
import { CodeForm } from './code-form.tsx'
import type { DeviceSecret } from './link-device.tsx'
import classes from './second-factor.module.css'

interface ActiveFactorProps {
  status: SecondFactorStatus
  onRenewed: (recoveryCodes: string[]) => void
  /** Called with the secret for another device, which is not active yet. */
  onReplacing: (secret: DeviceSecret) => void
  onDisabled: () => void
}

/** The state of an active second factor and its actions. */
export const ActiveFactor = ({ status, onRenewed, onReplacing, onDisabled }: ActiveFactorProps) => {
  const { desde, codigosRestantes, exigido } = status
  const [asked, setAsked] = useState<'aparelho' | 'codigos' | 'desativar'>()
  const close = () => setAsked(undefined)
  return (
    <section className={shared.card} aria-labelledby="estado-titulo">
      <div className={shared.row}>
        <IconShieldCheck size={34} stroke={1.5} aria-hidden className={shared.successIcon} />
        <div>
          <h2 id="estado-titulo" className={shared.title}>
            Ativo
          </h2>
          {desde && <p className={shared.dimmed}>Desde {fullTime(desde)}.</p>}
        </div>
      </div>
      {codigosRestantes <= 3 && (
        <Alert color="yellow" className={classes.warning}>
          {codigosRestantes === 0
            ? 'Você não tem mais códigos de recuperação.'
            : codigosRestantes === 1
              ? 'Resta só 1 código de recuperação.'
              : `Restam só ${codigosRestantes} códigos de recuperação.`}{' '}
          Gere códigos novos.
        </Alert>
      )}
      <Facts rows={[['Códigos de recuperação', `${codigosRestantes} de 10 ainda não usados`]]} />
      <div className={shared.buttons}>
        <Button variant="default" onClick={() => setAsked('aparelho')}>
          Trocar de aparelho
        </Button>
        <Button variant="default" onClick={() => setAsked('codigos')}>
          Gerar códigos novos
        </Button>
        {!exigido && (
          <Button variant="subtle" color="red" onClick={() => setAsked('desativar')}>
            Desativar
          </Button>
        )}
      </div>
      <p className={shared.dimmed}>
        {exigido &&
          'As regras desta instalação exigem o segundo fator de você: troque de aparelho quando quiser, sem desativá-lo. '}
        Perdeu o aparelho? Um código de recuperação também serve para trocar.
      </p>
      <Dialog opened={asked === 'aparelho'} onClose={close} title="Trocar de aparelho">
        <AnotherDevice onStarted={onReplacing} onCancel={close} />
      </Dialog>
      <Dialog opened={asked === 'codigos'} onClose={close} title="Gerar códigos novos?">
        <Text size="sm" mb="md">
          Os códigos que você guardou deixam de valer.
        </Text>
        <CodeForm
          {...asking}
          action="Gerar códigos"
          onSubmit={async (codigo) => {
            const { codigosRecuperacao } = await call(secondFactorApi.renewCodes, { body: { codigo } })
            onRenewed(codigosRecuperacao)
          }}
          onCancel={close}
        />
      </Dialog>
      <Dialog opened={asked === 'desativar'} onClose={close} title="Desativar o segundo fator?">
        <Text size="sm" mb="md">
          A senha sozinha volta a bastar para entrar na sua conta.
        </Text>
        <CodeForm
          {...asking}
          action="Desativar"
          color="red"
          onSubmit={async (codigo) => {
            await call(secondFactorApi.disable, { body: { codigo } })
            onDisabled()
          }}
          onCancel={close}
        />
      </Dialog>
    </section>
  )
}

const asking = {
  label: 'Código do aplicativo ou de recuperação',
  input: { inputMode: 'text', autoComplete: 'one-time-code' },
  autoFocus: true,
  inDialog: true,
} as const
