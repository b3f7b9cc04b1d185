import { ApiProblem, type Beneficiary, dataProtectionApi, sexes } from '@bi-manager/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconUserOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { usePurpose } from '../../lib/session/purpose.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { entityIdOf } from '../../ui/entity-form/entity-page.tsx'
import { Facts } from '../../ui/facts.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import shared from '../../ui/shared.module.css'
import { BeneficiarySearch } from '../beneficiaries/beneficiary-search.tsx'
import { AccessLog } from './access-log.tsx'
import classes from './data-protection.module.css'
import { accessesKey, beneficiaryQuery } from './data-protection-queries.ts'

/**
 * The data of one beneficiary: exports and access log. The URL holds our number, never a name or
 * plan id.
 */
export const BeneficiaryTab = () => {
  const [params, setParams] = useSearchParams()
  const id = entityIdOf(params.get('beneficiario'))
  const choose = (person: Beneficiary | undefined) =>
    setParams(person ? { aba: 'beneficiario', beneficiario: String(person.id) } : { aba: 'beneficiario' })
  if (id === undefined)
    return (
      <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="busca">
        <h2 id="busca" className={shared.heading}>
          De quem são os dados?
        </h2>
        <BeneficiarySearch label="Pesquisar beneficiário" isPageSearch choice="Abrir" onChoose={choose} />
      </section>
    )
  return <Chosen key={id} id={id} onLeave={() => choose(undefined)} />
}

const Chosen = ({ id, onLeave }: { id: number; onLeave: () => void }) => {
  const client = useQueryClient()
  const purpose = usePurpose()
  const { data, error, isFetching, refetch } = useQuery(beneficiaryQuery(id, purpose))
  const another = (
    <Button variant="default" onClick={onLeave}>
      Buscar outra pessoa
    </Button>
  )
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <InlineMessage icon={IconUserOff} action={another}>
        Não há beneficiário com este número.
      </InlineMessage>
    )
  }
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={260} radius="lg" />
  // The export adds an entry to the access log on the screen.
  const onSaved = () => void client.invalidateQueries({ queryKey: accessesKey(id) })
  return (
    <>
      <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="pessoa">
        <div className={shared.spread}>
          <h2 id="pessoa" className={shared.heading}>
            {data.nome_beneficiario}
          </h2>
          {another}
        </div>
        <Facts rows={factsOf(data)} className={classes.facts} />
        <div className={`${shared.stackSm} ${shared.ruled}`}>
          <div className={`${shared.buttons} ${classes.buttons}`}>
            <DownloadButton
              label="Exportar PDF"
              download={() => call(dataProtectionApi.exportPdf, { params: { id } })}
              fileName={`beneficiario-${id}.pdf`}
              onSaved={onSaved}
            />
            <DownloadButton
              label="Exportar JSON"
              download={() => call(exportFile, { params: { id } })}
              fileName={`beneficiario-${id}.json`}
              onSaved={onSaved}
            />
          </div>
          <p className={classes.help}>
            Tudo o que o portal guarda desta pessoa, arquivado ou não: cadastro, prontuários com as versões
            anteriores, anexos e quem acessou. O PDF é para ler e entregar; o JSON serve a outros sistemas e
            traz também os arquivos anexados. Cada exportação fica registrada.
          </p>
        </div>
      </section>
      <AccessLog id={id} />
    </>
  )
}

/** Read as bytes: parsing and serialising the JSON would hold its files in memory several times. */
const exportFile = { ...dataProtectionApi.export, contentType: 'application/octet-stream' } as const

const factsOf = (person: Beneficiary) =>
  [
    ['ID no plano', person.id_beneficiario || '—'],
    ['Data de nascimento', person.data_nascimento || '—'],
    ['Sexo', person.sexo ? sexes[person.sexo] : '—'],
    ['Plano', person.plano || '—'],
    ['Operadora', person.operadora || '—'],
  ] as const
