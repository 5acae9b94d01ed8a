import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;

/**
 * Runs cases with Kafka's Java client, all in one process since starting one takes seconds.
 *
 * Cases BOOTSTRAP reads lines "Class.method argument" from its input, calls them, and answers with a line "= ok", or a stack trace
 * and a line "= not ok".
 */
public final class Cases {
	public static void main(String[] args) throws Exception {
		Kit.connect(args[0]);
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			String[] words = line.split("[. ]");
			try {
				Class.forName(words[0]).getDeclaredMethod(words[1], String.class).invoke(null, words[2]);
				System.out.println("\n= ok");
			} catch (InvocationTargetException e) {
				e.getCause().printStackTrace(System.out);
				System.out.println("\n= not ok");
			}
		}
		System.exit(0);
	}
}
