import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs cases with Kafka's Java client, all in one process since starting one takes seconds, and several at a time since what they do
 * most is wait.
 *
 * Cases BOOTSTRAP reads lines "Class.method argument" from its input, calls them, and answers with a line "= ok Class.method argument",
 * or with a stack trace and a line "= not ok Class.method argument", in no particular order.
 */
public final class Cases {
	private static final int AT_A_TIME = 4;

	private static void call(String line) {
		String[] words = line.split("[. ]");
		StringWriter trace = new StringWriter();
		String result = "not ok";
		try {
			Class.forName(words[0]).getDeclaredMethod(words[1], String.class).invoke(null, words[2]);
			result = "ok";
		} catch (InvocationTargetException e) {
			e.getCause().printStackTrace(new PrintWriter(trace));
		} catch (ReflectiveOperationException e) {
			e.printStackTrace(new PrintWriter(trace));
		}
		System.out.println("\n" + trace + "= " + result + " " + line);
	}

	public static void main(String[] args) throws Exception {
		Kit.connect(args[0]);
		ExecutorService pool = Executors.newFixedThreadPool(AT_A_TIME);
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			String call = line;
			pool.submit(() -> call(call));
		}
		System.exit(0);
	}
}
