import { Anchor } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { portalQuery } from '../../lib/api/queries.ts'
import { useSession } from '../../lib/session/session.ts'
import shared from '../../ui/shared.module.css'
import classes from './privacy-page.module.css'

/** '/privacidade': the public privacy notice required by LGPD art. 9, the same with a session. */
export const PrivacyPage = () => {
  const { data } = useQuery(portalQuery)
  const company = data?.nomeEmpresa ?? 'a empresa que opera este portal'
  return (
    <article className={classes.page}>
      <WayBack />
      <h1 className={shared.pageHeading}>Aviso de privacidade</h1>
      <p className={classes.lead}>
        O que o BI Manager guarda sobre quem o usa, para quê, por quanto tempo, e o que você pode pedir. Segue
        a Lei Geral de Proteção de Dados (LGPD, Lei 13.709/2018).
      </p>

      <Section title="Quem responde pelos dados">
        <p>
          O controlador é <strong>{company}</strong>: decide para que os dados são usados e responde por eles.
          O BI Manager é o sistema em que isso acontece.
        </p>
      </Section>

      <Section title="O que é guardado, e para quê">
        <dl className={classes.kept}>
          {kept.map(({ what, data: which, purpose, basis, time }) => (
            <div key={what} className={shared.surface}>
              <dt>{what}</dt>
              <dd>{which}</dd>
              <dd>
                <strong>Para quê:</strong> {purpose}
              </dd>
              <dd>
                <strong>Base legal:</strong> {basis}
              </dd>
              <dd>
                <strong>Por quanto tempo:</strong> {time}
              </dd>
            </div>
          ))}
        </dl>
        <p>Não há publicidade, perfil de consumo, venda de dados nem decisão automática sobre você.</p>
      </Section>

      <Section title="Dados de saúde de beneficiários">
        <p>
          Prontuários e anexos são dados sensíveis (LGPD, art. 5º, II). Se você é beneficiário de um plano
          atendido aqui, eles podem existir mesmo que você não tenha conta neste portal.
        </p>
        <dl className={classes.kept}>
          {health.map(({ what, text }) => (
            <div key={what} className={shared.surface}>
              <dt>{what}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>

      <Section title="Com quem são compartilhados">
        <p>
          Os relatórios são desenhados por um serviço de BI (o Power BI, da Microsoft, ou o serviço de
          relatórios da própria instalação). Quando um relatório restringe linhas por pessoa, o seu e-mail vai
          até ele para que mostre só o que é seu. Se você entra com a conta da empresa, quem confirma quem
          você é é o provedor de identidade dela. Os arquivos de anexos podem ficar num serviço de
          armazenamento que a empresa contrata; chegam lá cifrados, sem a chave. Fora isso, os dados não saem
          deste portal, a não ser por obrigação legal.
        </p>
      </Section>

      <Section title="Cookies e o que fica no seu navegador">
        <p>
          <strong>Cookies: nenhum.</strong> Não há rastreadores nem conteúdo de terceiros além dos relatórios.
          O navegador guarda, no armazenamento local, a chave da sua sessão (até você sair), as suas
          preferências (tema, linhas por página, menu aberto), a finalidade que você escolheu para ver
          prontuários (só a opção, nunca o que escreveu) e, se você marcar 'Lembrar Usuário', o seu nome de
          usuário. A senha nunca é guardada, nem nada que identifique um beneficiário.
        </p>
      </Section>

      <Section title="Como são protegidos">
        <p>
          Senhas são guardadas só como um código que não pode ser revertido (Argon2id). Segredos e dados de
          saúde ficam cifrados, no banco, nos arquivos e nas cópias de segurança. Cada pessoa vê apenas os
          relatórios liberados para ela, e o que se faz no portal fica registrado numa trilha que não pode ser
          alterada sem que se perceba.
        </p>
      </Section>

      <Section title="Os seus direitos, e como usá-los">
        <ul className={classes.rights}>
          <li>
            <strong>Ver e corrigir:</strong> em 'Meu perfil' você vê os seus dados e corrige o nome; em 'Meus
            acessos', onde a sua conta está aberta e o que aconteceu com ela.
          </li>
          <li>
            <strong>Como convidado,</strong> sem conta: peça a quem convidou você, ou ao encarregado, os dados
            do seu convite, ou que ele seja revogado.
          </li>
          <li>
            <strong>Pedir</strong> uma cópia, a correção, a portabilidade, o bloqueio ou a eliminação dos
            dados, saber com quem foram compartilhados, e se opor a um uso: escreva a um administrador do
            portal ou ao encarregado de dados (DPO) de {company}. O que a lei manda guardar continua guardado
            pelo prazo dela.
          </li>
          <li>
            <strong>Sobre a sua saúde:</strong> peça ao encarregado tudo o que há sobre você (sai daqui em PDF
            ou num arquivo de dados) e a lista de quem leu, quando e com que finalidade. Um prontuário não se
            apaga antes do prazo; um erro se corrige, e o texto anterior continua guardado.
          </li>
          <li>
            <strong>Reclamar</strong> à Autoridade Nacional de Proteção de Dados (ANPD), se a resposta não for
            satisfatória.
          </li>
        </ul>
      </Section>

      <Section title="Contato">
        <p>
          Dúvidas sobre este aviso ou sobre os seus dados: fale com um administrador do portal, que encaminha
          ao encarregado de {company}.
        </p>
      </Section>
    </article>
  )
}

/** The page is outside the shell, so it needs its own link back. */
const WayBack = () => (
  <Anchor component={Link} to="/" size="sm" className={shared.backLink}>
    <IconChevronLeft size={16} aria-hidden />
    {useSession() ? 'Voltar ao início' : 'Voltar para a entrada'}
  </Anchor>
)

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section}>
    <h2 className={shared.heading}>{title}</h2>
    {children}
  </section>
)

/** Must match the actual retention: housekeeping, audit trail and medical records. */
const kept = [
  {
    what: 'A sua conta',
    data: 'Nome, e-mail, senha (só o código irreversível), perfil, permissões e, se você ativar, o segredo do segundo fator, cifrado.',
    purpose: 'saber quem é você e o que pode ver.',
    basis: 'execução de contrato e legítimo interesse (art. 7º, V e IX).',
    time: 'enquanto a conta existir.',
  },
  {
    what: 'Os seus acessos',
    data: 'Quando e de que navegador você entrou, e o último uso. Tentativas erradas são contadas por 15 minutos, sem o nome nem o endereço.',
    purpose: 'manter você conectado, mostrar os acessos a você e barrar quem tenta adivinhar senhas.',
    basis:
      'legítimo interesse e cumprimento de obrigação legal (art. 7º, IX e II; Marco Civil da Internet, art. 15).',
    time: 'até 30 dias depois de a sessão vencer; o reconhecimento do aparelho, até um ano sem uso.',
  },
  {
    what: 'A trilha de auditoria',
    data: 'Entradas, recusas, mudanças, leituras sensíveis e exportações: quem, o quê, quando e de que endereço de rede.',
    purpose: 'segurança, prestação de contas e prova.',
    basis: 'cumprimento de obrigação legal e exercício de direitos (art. 7º, II e VI).',
    time: 'o prazo que a empresa define; sem outra escolha, 5 anos.',
  },
  {
    what: 'Os relatórios que você abre',
    data: 'Qual, quando, e quanto tempo levou para carregar; notificações sobre a sua conta.',
    purpose: 'mostrar os seus relatórios recentes, medir o uso e a velocidade.',
    basis: 'legítimo interesse (art. 7º, IX).',
    time: 'o uso, pelo prazo que a empresa define; notificações, até um ano.',
  },
  {
    what: 'Se você é convidado, sem conta',
    data: 'O seu e-mail, quem convidou você, para qual relatório, por que motivo, com as linhas de qual identidade e até quando; a última visita e, na trilha de auditoria, cada pedido de link e cada visita, com o aparelho e o endereço de rede.',
    purpose: 'mostrar o relatório só a você, e saber quem o viu.',
    basis: 'legítimo interesse (art. 7º, IX).',
    time: 'até 90 dias depois do último dia do convite, ou de ele ser revogado; na trilha de auditoria, pelo prazo dela.',
  },
] as const

const health = [
  {
    what: 'O que é guardado',
    text: 'Nome, número no plano, data de nascimento, sexo, plano e operadora; o que o profissional escreve (especialidade, riscos, descrição, prescrição), com todas as versões; imagens e PDFs enviados; e quem leu ou mudou cada coisa, quando e com que finalidade.',
  },
  {
    what: 'Para quê',
    text: 'Atendimento, auditoria e regulação em saúde. A finalidade é perguntada a quem acessa, e fica registrada.',
  },
  {
    what: 'Base legal',
    text: 'Tutela da saúde, em procedimento de profissionais ou serviços de saúde, e cumprimento de obrigação legal (LGPD, art. 11, II, f e a). Não se pede consentimento para o que a lei obriga a registrar.',
  },
  {
    what: 'Quem vê',
    text: 'Só pessoas com o acesso a prontuários, que se dá uma a uma; ser administrador não basta. O encarregado de dados, se também o tiver, vê quem leu e exporta o que há sobre alguém.',
  },
  {
    what: 'Como',
    text: 'Cifrados desde a gravação, encontrados só pelo número exato ou pelo nome completo. Imagens são redesenhadas, sem a posição nem os dados da câmera.',
  },
  {
    what: 'Por quanto tempo',
    text: '20 anos depois do último registro (Lei 13.787/2018), e o registro de acessos junto. Excluir aqui é arquivar, com o motivo. Passado o prazo, a empresa decide o descarte; nada se apaga sozinho.',
  },
  {
    what: 'Se algo der errado',
    text: 'Um incidente que possa causar risco ou dano relevante é comunicado à ANPD e às pessoas afetadas em três dias úteis (Resolução CD/ANPD 15/2024).',
  },
] as const
