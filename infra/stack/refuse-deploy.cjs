/**
 * A plugin of serverless.yml that refuses these commands: the Framework only packages, and our own program deploys
 * (docs/deploy/aws-quickstart.md).
 */
const INSTEAD = { deploy: 'deploy', remove: 'remove', rollback: 'deploy' };

module.exports = class RefuseDeploy {
  constructor(serverless, { stage = 'dev' }, { log }) {
    const { commands, options } = serverless.processedInput;
    const [command] = commands;
    // Checked here, because the Framework's first hooks already request the account from AWS.
    if (Object.hasOwn(INSTEAD, command) && !options.help)
      throw new serverless.classes.Error(
        `\`serverless ${command}\` knows neither the four stacks of this service nor its uploads. Run this instead: ${script(INSTEAD[command], stage)}`,
      );
    const notice = `\`${script('package', stage)}\` adds the docs and the native layer, and makes the four stacks.`;
    this.hooks = {
      'after:package:finalize': () => process.env.PACKAGING_STACKS ?? log.notice(notice),
    };
  }
};

function script(name, stage) {
  return `npm run ${name} -- --stage ${stage}`;
}
