import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../infra/free-port.ts';
import { installOnce } from '../../support/install-once.ts';
import { runCommand } from './install.ts';
import { type Server, startProcess } from './process.ts';

/** Newer versions need artifacts that Maven Central doesn't have. */
const VERSION = '3.1.0';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>dynamodb-local</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>software.amazon.dynamodb</groupId>
      <artifactId>DynamoDBLocal</artifactId>
      <version>${VERSION}</version>
    </dependency>
    <dependency>
      <groupId>com.almworks.sqlite4java</groupId>
      <artifactId>libsqlite4java-linux-amd64</artifactId>
      <version>1.0.392</version>
      <type>so</type>
    </dependency>
  </dependencies>
</project>
`;

/** Its own main listens on every interface, and has no option to change that. */
const LAUNCHER = `import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;

public class Main {
  public static void main(String[] args) throws Exception {
    var proxy = ServerRunner.createServerFromCommandLineArgs(args);
    var field = proxy.getClass().getDeclaredField("server");
    field.setAccessible(true);
    for (Connector connector : ((Server) field.get(proxy)).getConnectors()) {
      ((ServerConnector) connector).setHost("127.0.0.1");
    }
    proxy.start();
    proxy.join();
  }
}
`;

interface DynamodbLocal {
  /** The folder of its database; in memory if omitted. */
  dbPath?: string;
  port?: number;
}

/** AWS's own local DynamoDB: the reference for DynamoDB's behavior. */
export async function startDynamodbLocal({ dbPath, port: given }: DynamodbLocal = {}): Promise<Server> {
  const folder = await installDynamodbLocal();
  const port = given ?? (await findFreePort());
  const storage = dbPath === undefined ? ['-inMemory'] : ['-dbPath', dbPath];
  const url = `http://127.0.0.1:${port}`;
  const program = ['-Xmx256m', '-Djava.library.path=lib', '-cp', '.:lib/*', 'Main'];
  const { stop } = await startProcess({
    name: 'DynamoDB Local',
    file: 'java',
    args: [...program, ...storage, '-sharedDb', '-port', String(port)],
    cwd: folder,
    env: { ...process.env, DDB_LOCAL_TELEMETRY: '0' },
    healthUrl: url,
    healthStatus: 400, // without a health endpoint; unsigned requests are rejected
  });
  return { url, stop };
}

export function installDynamodbLocal(): Promise<string> {
  return installOnce('dynamodb-local', VERSION, install);
}

async function install(folder: string): Promise<void> {
  await requireJava();
  await writeFile(join(folder, 'pom.xml'), POM);
  await writeFile(join(folder, 'Main.java'), LAUNCHER);
  const options = ['-q', '-B', '-DincludeScope=runtime', '-DoutputDirectory=lib'];
  await runCommand('mvn', ['dependency:copy-dependencies', ...options], { cwd: folder });
  await runCommand('javac', ['-cp', 'lib/*', 'Main.java'], { cwd: folder });
}

async function requireJava(): Promise<void> {
  try {
    await runCommand('javac', ['-version']);
    await runCommand('mvn', ['-version']);
  } catch (error) {
    const message =
      'this lane needs a JDK of 17 or newer and Maven: install them (Debian: default-jdk, maven)';
    throw new Error(message, { cause: error });
  }
}
