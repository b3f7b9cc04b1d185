import {
  ApiProblem,
  proposedPolicy,
  type SecondFactorPolicy,
  type SecuritySettings,
} from '@bi-manager/contract'
import { Alert, Button } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../lib/api/api.ts'
import { refreshCurrentUser } from '../../lib/api/queries.ts'
import { peopleWithout } from './second-factor-rule.ts'
import classes from './security-settings.module.css'
import { saveSecuritySettings, securitySettingsQuery } from './security-settings-queries.ts'
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
  const saving = useMutation({
    mutationFn: saveSecuritySettings,
    networkMode: 'always',
    onSuccess: (saved) => {
      client.setQueryData(securitySettingsQuery.queryKey, saved)
      // The rule may apply to this user, who is then redirected to the set-up.
      void refreshCurrentUser(client).catch(() => undefined)
    },
    onError: (error) => {
      // Another ADMIN has chosen a rule: fetch it.
      if (error instanceof ApiProblem && error.status === 412) {
        void client.invalidateQueries({ queryKey: securitySettingsQuery.queryKey })
      }
    },
  })
  const choose = (segundoFator: SecondFactorPolicy) =>
    saving.mutate({ segundoFator, versao: settings.versao })
  return (
    <Alert
      color="teal"
      icon={<IconShieldLock aria-hidden />}
      title="Exigir o segundo fator?"
      className={classes.proposal}
    >
      <p className={classes.warningText}>
        Com um código do celular, além da senha, quem descobre uma senha não entra na administração nem nos
        prontuários. A regra vale para administradores e para quem acessa prontuários.{' '}
        {peopleWithout(settings.semSegundoFator[proposedPolicy])}
        {needsOwnSetUp(proposedPolicy) && ' Você também não tem: configure o seu em seguida.'}
      </p>
      {saving.error && (
        <p role="alert" className={classes.warningText}>
          {messageOf(saving.error)}
        </p>
      )}
      <div className={classes.proposalActions}>
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
      </div>
    </Alert>
  )
}
