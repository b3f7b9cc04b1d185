import { proposedPolicy, type SecondFactorPolicy, type SecuritySettings } from '@bi-manager/contract'
import { Alert, Group, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { refreshCurrentUser } from '../../lib/api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { peopleWithout } from './second-factor-rule.ts'
import classes from './security-settings.module.css'
import { securitySettingsQuery, useSaveSecuritySettings } from './security-settings-queries.ts'
import { useNeedsOwnSetUp } from './use-needs-own-set-up.ts'

/**
 * Proposes to require a second factor of administrators and clinicians, until an ADMIN has chosen a
 * rule.
 */
export const SecondFactorProposal = () => {
  const { data: settings } = useQuery(securitySettingsQuery)
  return settings && !settings.segundoFatorDecidido ? <Proposal settings={settings} /> : null
}

const Proposal = ({ settings }: { settings: SecuritySettings }) => {
  const client = useQueryClient()
  const needsOwnSetUp = useNeedsOwnSetUp()
  // The rule may apply to this user, who is then redirected to the set-up.
  const saving = useSaveSecuritySettings(() => void refreshCurrentUser(client).catch(() => undefined))
  const choose = (segundoFator: SecondFactorPolicy) =>
    saving.mutate({ segundoFator, versao: settings.versao })
  return (
    <Alert
      color="teal"
      icon={<IconShieldLock aria-hidden />}
      title="Exigir o segundo fator?"
      className={classes.proposal}
    >
      <Text mb="0.75rem">
        Com um código do celular, além da senha, quem descobre uma senha não entra na administração nem nos
        prontuários. A regra vale para administradores e para quem acessa prontuários.{' '}
        {peopleWithout(settings.semSegundoFator[proposedPolicy])}
        {needsOwnSetUp(proposedPolicy) && ' Você também não tem: configure o seu em seguida.'}
      </Text>
      <ErrorAlert error={saving.error} mb="0.75rem" />
      <Group gap="0.75rem">
        <Button
          loading={saving.isPending && saving.variables.segundoFator === proposedPolicy}
          disabled={saving.isPending}
          onClick={() => choose(proposedPolicy)}
        >
          Exigir
        </Button>
        <Button variant="default" disabled={saving.isPending} onClick={() => choose(settings.segundoFator)}>
          Agora não
        </Button>
      </Group>
    </Alert>
  )
}
